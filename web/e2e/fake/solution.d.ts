declare module "*/event-log/solution.js";
