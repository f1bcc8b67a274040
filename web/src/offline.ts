// Registers the service worker, once there is time for it. Without one the page works just as well, but not offline.
export function keepOffline(url: string): void {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  void register(url).catch(() => {
    // Some hosts and private windows forbid it, and without a connection there is nothing to ask. The person can do
    // nothing about either.
  });
}

async function register(url: string): Promise<void> {
  const registration = await navigator.serviceWorker.register(url, { updateViaCache: "none" });
  // A page that a worker served is as old as that worker. Registering again does not look for a newer one.
  if (navigator.serviceWorker.controller) await registration.update();
}
