export function escapeHtml(text: string): string;
export function highlight(code: string): string;
export function renderLesson(markdown: string, options: { lang: string; words: Record<string, unknown> }): string;
