import { extname } from 'node:path'

/**
 * The URL of a module that another thread or process runs, named without its extension, relative to the calling module.
 * A clone runs the `.ts` sources and the npm package compiled `.js` files, so the extension is that of the caller. The
 * packaging script includes every module whose name ends with `-worker`.
 */
export function workerModuleUrl(name: `${string}-worker`, caller: string): URL {
  return new URL(`${name}${extname(new URL(caller).pathname)}`, caller)
}
