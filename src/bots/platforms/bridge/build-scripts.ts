import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'injected')

/** Which network messages of the page's own scripts are reported. */
export type TrafficFilter = {
  /** Only pages of these hosts and their subdomains get hooks. */
  hosts: readonly string[]
  /** Labels of the WebRTC data channels. */
  channels: readonly string[]
  /** Hosts of the web sockets, subdomains included. */
  sockets: readonly string[]
  /** Last path segments of the HTTP calls. */
  calls: readonly string[]
}

/**
 * Runs in the page's own world before the page's scripts. It saves the binding and removes it from the window, so
 * that the page finds no trace.
 */
export function buildHooksScript(binding: string, trafficFilter: TrafficFilter): string {
  return bundleInjected(
    binding,
    ['message-sender', 'hook-channels', 'hook-http', 'install-hooks'],
    `installHooks(send, ${toJsLiteral(trafficFilter)})`,
  )
}

/** Runs in an isolated world. `control` names the global object through which the service calls the script. */
export function buildWatchScript(binding: string, control: string, watchConfig: object): string {
  const start = `if (window === window.top) globalThis[${toJsLiteral(control)}] = watchPage(send, ${toJsLiteral(watchConfig)})`
  return bundleInjected(
    binding,
    ['find-parts', 'observe-page', 'read-participants', 'watch-caption-rows', 'watch-page'],
    start,
  )
}

/** Joins the files, which are modules for editors and linters, into one script. */
function bundleInjected(binding: string, files: readonly string[], start: string): string {
  const parts = files.map((file) =>
    readFileSync(join(FOLDER, `${file}.js`), 'utf8')
      .replace(/^import .*$/gm, '')
      .replace(/^export /gm, ''),
  )
  const createSend = `
    const binding = globalThis[${toJsLiteral(binding)}]
    delete globalThis[${toJsLiteral(binding)}]
    if (typeof binding !== 'function') return
    const { stringify } = JSON
    const { performance } = globalThis
    const now = performance.now.bind(performance)
    const { timeOrigin } = performance
    const send = (message) => binding(stringify([timeOrigin + now(), message]))`
  return `(() => {'use strict'\n${createSend}\n${parts.join('\n')}\n${start}\n})()`
}

function toJsLiteral(value: unknown): string {
  return JSON.stringify(value)
}
