import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** Loads a package at first use, so that starting the service and short commands stay fast. */
export function lazyRequire(name: string): () => unknown {
  return () => load(name)
}
