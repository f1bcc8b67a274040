import type { Server } from "node:http";
export function fileFor(dir: string, base: string, url: string): string | undefined;
export function createStaticServer(dir: string, base?: string): Server;
