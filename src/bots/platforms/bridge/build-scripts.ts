import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'injected')

/** What a platform wants to hear of its own scripts' traffic. */
export type TrafficFilter = {
  /** Pages of these hosts, and of those below them. */
  hosts: readonly string[]
  /** Labels of data channels. */
  channels: readonly string[]
  /** Hosts of sockets. */
  sockets: readonly string[]
  /** Last parts of the paths of calls over HTTP. */
  calls: readonly string[]
}

/** Before the page's scripts, in their world: takes the way out along and leaves no trace of it behind. */
export function buildHooksScript(binding: string, trafficFilter: TrafficFilter): string {
  return bundleInjected(
    binding,
    ['message-sender', 'hook-channels', 'hook-http', 'install-hooks'],
    `installHooks(send, ${toJsLiteral(trafficFilter)})`,
  )
}

/** In a world of its own. `control`: the name in that world under which it can be asked for more. */
export function buildWatchScript(binding: string, control: string, watchConfig: object): string {
  const start = `if (window === window.top) globalThis[${toJsLiteral(control)}] = watchPage(send, ${toJsLiteral(watchConfig)})`
  return bundleInjected(
    binding,
    ['find-parts', 'observe-page', 'read-participants', 'watch-caption-rows', 'watch-page'],
    start,
  )
}

/** The files are modules for whoever reads them; a page gets them as one script. */
function bundleInjected(binding: string, files: readonly string[], start: string): string {
  const parts = files.map((file) =>
    readFileSync(join(FOLDER, `${file}.js`), 'utf8')
      .replace(/^import .*$/gm, '')
      .replace(/^export /gm, ''),
  )
  const way = `
    const out = globalThis[${toJsLiteral(binding)}]
    delete globalThis[${toJsLiteral(binding)}]
    if (typeof out !== 'function') return
    const { stringify } = JSON
    const { performance } = globalThis
    const now = performance.now.bind(performance)
    const { timeOrigin } = performance
    const send = (message) => out(stringify([timeOrigin + now(), message]))`
  return `(() => {'use strict'\n${way}\n${parts.join('\n')}\n${start}\n})()`
}

function toJsLiteral(value: unknown): string {
  return JSON.stringify(value)
}
