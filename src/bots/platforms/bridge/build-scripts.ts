import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_CONDITIONS, PAGE_STATE_NAMES, type PageModel } from '../page-model/page-states.ts'
import { requiredPagePartName } from '../page-model/state-rules.ts'

const FOLDER = join(import.meta.dirname, 'injected')

/** These files read the sound of audio tracks. */
const HEARING_FILES = [
  'hearing/browser-functions',
  'hearing/resample-sound',
  'hearing/sound-gate',
  'hearing/select-sources',
  'hearing/read-track',
  'hearing/hear-tracks',
]

/** Selects the network messages of a page's own scripts that are reported to the service. */
export type TrafficFilter = {
  /** Only pages of these hosts and their subdomains get hooks. */
  hosts: readonly string[]
  /** Labels of the WebRTC data channels whose messages are reported. */
  channels: readonly string[]
  /** Hosts of the web sockets whose messages are reported, subdomains included. */
  sockets: readonly string[]
  /** Last path segments of the HTTP calls whose responses are reported. */
  calls: readonly string[]
  /** Page functions that receive chat events and are bound before a call. Reports the first argument as JSON. */
  callbacks?: readonly string[]
}

/**
 * Builds the script that reports a page's network messages. It runs in the page's own world before the page's scripts.
 * It saves the binding and removes it from the window, so that the page finds no trace.
 */
export function buildNetworkHooksScript(
  binding: string,
  hearingEvent: string,
  trafficFilter: TrafficFilter,
): string {
  return bundleInjected(
    binding,
    [
      'match-host',
      'message-sender',
      'observe-new',
      'hook-channels',
      'hook-http',
      'hook-callbacks',
      ...HEARING_FILES,
      'hearing/hook-tracks',
      'install-hooks',
    ],
    `installHooks(send, ${toJsLiteral(trafficFilter)}, ${toJsLiteral(hearingEvent)})`,
  )
}

/**
 * Builds the page watcher, which observes the page and its frames of the platform's own hosts from an isolated world.
 * `control` names the global object through which the service calls the script; `hearingEvent` names the event with
 * which the script switches hearing.
 */
export function buildPageWatcherScript(
  { binding, control, hearingEvent }: { binding: string; control: string; hearingEvent: string },
  hosts: readonly string[],
  watchConfig: object,
): string {
  const watcher = `watchPage(send, ${toJsLiteral(watchConfig)}, ${toJsLiteral(hearingEvent)})`
  const start = `if (belongsToPage(${toJsLiteral(hosts)})) globalThis[${toJsLiteral(control)}] = ${watcher}`
  return bundleInjected(
    binding,
    [
      'match-host',
      'page-frames',
      'find-parts',
      'observe-page',
      'read-participants',
      'watch-caption-rows',
      'watch-chat',
      'inspect-page',
      'watch-page',
    ],
    start,
  )
}

/**
 * Builds the script that receives the sound of WebRTC streams in our own empty page. `control` names the global object
 * through which the service calls the script.
 */
export function buildStreamReceiverScript(binding: string, control: string): string {
  return bundleInjected(
    binding,
    ['message-sender', ...HEARING_FILES, 'receive-streams'],
    `globalThis[${toJsLiteral(control)}] = receiveStreams(send)`,
  )
}

/** Joins files of the folder `injected` into one script. They are modules only for editors and linters. */
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

/** The part of a page model that the page watcher needs, as plain JSON values. */
export function toPageWatcherConfig(
  pageModel: PageModel,
  pollIntervalMs: number,
  { readsChat = false }: { readsChat?: boolean } = {},
) {
  const { parts, userTextParts, expectedInCall, prompts, states, conditions } = pageModel
  const rules = [
    ...PAGE_STATE_NAMES.flatMap((state) => states[state] ?? []),
    ...PAGE_CONDITIONS.flatMap((condition) => conditions[condition]),
  ]
  const matchers = rules.flatMap(({ all, none = [] }) => [...all, ...none])
  const named = matchers.flatMap((matcher) => requiredPagePartName(matcher) ?? [])
  /** Only these parts send their text. With the text of captions, every observation would be new. */
  const partsWithText = matchers.flatMap((matcher) =>
    matcher.by === 'words' ? (matcher.in ?? []) : [],
  )
  const observedParts = [
    ...new Set([
      ...named,
      ...expectedInCall,
      ...prompts.map(({ answer }) => answer),
      'captionsRegion',
      'captionsTurnOn',
      'captionsTurnOff',
      'attendeeView',
    ]),
  ].filter((name) => Object.hasOwn(parts, name))
  return {
    parts,
    userTextParts,
    expectedInCall,
    observedParts,
    partsWithText: [...new Set(partsWithText)],
    headCount: 'headCount',
    pollIntervalMs,
    readsChat,
  }
}
