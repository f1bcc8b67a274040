// What the build knows and the code needs: the names of files, which hold a hash of their content.

export interface Assets {
  worker: string;
  grader: string;
  engine: string;
  icon: string;
  serviceWorker: string;
}

export interface Precache {
  version: string;
  /** The copy of index.html that belongs to this version. */
  page: string;
  /** All of the version's files, that copy among them. */
  files: string[];
}

declare const ASSETS: Assets;

/** Full addresses, whatever folder the site lies in. */
export function assetUrls(): Assets {
  const full = (name: string): string => new URL(name, document.baseURI).href;
  return {
    worker: full(ASSETS.worker),
    grader: full(ASSETS.grader),
    engine: full(ASSETS.engine),
    icon: full(ASSETS.icon),
    serviceWorker: full(ASSETS.serviceWorker),
  };
}
