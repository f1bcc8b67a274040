// harness.js is bundled as text.
declare module "*/harness.js" {
  const text: string;
  export default text;
}
