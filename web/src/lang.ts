// Which language the page opens with. Apart from the texts, so that it can run before the first paint.

export type Lang = "en" | "zh";

/** The language to open with: what was chosen before, else the first that the browser asks for and we have. */
export function pickLanguage(remembered: string | null | undefined, wanted: readonly string[]): Lang {
  for (const tag of [remembered ?? "", ...wanted]) {
    const primary = tag.toLowerCase().split("-")[0];
    if (primary === "en" || primary === "zh") return primary;
  }
  return "en";
}
