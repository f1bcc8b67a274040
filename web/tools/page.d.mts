export function policy(bootScript: string): string;
export function renderPage(template: string, values: Record<string, string>, words: Record<string, unknown>): string;
