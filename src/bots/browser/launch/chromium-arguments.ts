import type { BrowserMode } from './find-browser.ts'

/** The conditions that decide which arguments Chromium gets. */
export type LaunchConditions = {
  mode: BrowserMode
  /** Chromium refuses to run its sandbox as root. */
  isRoot: boolean
  /** Whether the program is a headless shell: a smaller Chromium without windows. */
  isShell: boolean
  /** The folder of the browser's profile. */
  profile: string
  /** URL of the egress proxy; null when the operator's arguments name another proxy. */
  proxy: string | null
}

type ArgumentRow = {
  argument: string | ((circumstances: LaunchConditions) => string)
  because: string
  when?: (circumstances: LaunchConditions) => boolean
}

export const WINDOW_SIZE = { width: 1280, height: 720 } as const

/**
 * Chromium features that call Google's servers, wait for a person, or disturb automation. Turning off the spare
 * renderer process and the address bar's pages also saves 50 MB for each bot.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'Translate',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

const DISABLE = '--disable-features='

/**
 * The complete list: Playwright's default arguments are not used, so each argument here has its reason beside it.
 */
const ARGUMENTS: readonly ArgumentRow[] = [
  { argument: '--remote-debugging-pipe', because: 'no port, and the browser ends with us' },
  {
    argument: ({ profile }) => `--user-data-dir=${profile}`,
    because: 'a profile of its own, swept when nobody else removes it',
  },
  { argument: '--headless', because: 'no window', when: ({ mode }) => mode !== 'headed' },
  { argument: '--no-sandbox', because: 'root cannot have one', when: ({ isRoot }) => isRoot },
  { argument: '--no-startup-window', because: 'bots open their own pages' },
  { argument: '--no-first-run', because: 'nobody answers its questions' },
  { argument: '--no-default-browser-check', because: 'nobody answers its questions' },
  { argument: '--disable-search-engine-choice-screen', because: 'nobody answers its questions' },
  { argument: '--disable-prompt-on-repost', because: 'nobody answers its questions' },
  { argument: '--disable-hang-monitor', because: 'the pool watches over hung pages' },
  { argument: '--disable-background-networking', because: 'only pages use the network' },
  { argument: '--disable-component-update', because: 'only pages use the network' },
  { argument: '--disable-sync', because: 'only pages use the network' },
  { argument: '--disable-quic', because: 'the gate carries TCP; waiting for UDP costs time' },
  { argument: '--metrics-recording-only', because: 'nothing is reported to anybody' },
  { argument: '--disable-breakpad', because: 'nothing is reported to anybody' },
  { argument: '--disable-field-trial-config', because: 'the same browser on every start' },
  { argument: '--disable-default-apps', because: 'pages only' },
  { argument: '--disable-extensions', because: 'pages only' },
  { argument: `${DISABLE}${DISABLED_FEATURES.join(',')}`, because: 'see the list' },
  { argument: '--password-store=basic', because: 'no key ring of a desktop is asked' },
  { argument: '--use-mock-keychain', because: 'the same on macOS' },
  { argument: '--disable-dev-shm-usage', because: 'containers have 64 MB there' },
  { argument: '--disable-background-timer-throttling', because: 'no page of ours is in front' },
  { argument: '--disable-backgrounding-occluded-windows', because: 'no page of ours is in front' },
  { argument: '--disable-renderer-backgrounding', because: 'no page of ours is in front' },
  { argument: '--disable-back-forward-cache', because: 'a page that was left is not kept' },
  { argument: '--allow-pre-commit-input', because: 'a click right after a page came is not lost' },
  {
    argument:
      '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
    because: 'a machine without a mouse gets the page for a mouse',
    when: ({ mode }) => mode !== 'headed',
  },
  {
    argument: `--window-size=${WINDOW_SIZE.width},${WINDOW_SIZE.height}`,
    because: 'smaller windows move buttons into menus',
  },
  { argument: '--force-color-profile=srgb', because: 'screenshots look alike everywhere' },
  { argument: '--lang=en-US', because: 'the language in which pages are recognised best' },
  { argument: '--mute-audio', because: 'a server has no loudspeakers' },
  {
    argument: '--autoplay-policy=no-user-gesture-required',
    because: 'nobody clicks to let a meeting be heard',
  },
  {
    argument: '--use-fake-device-for-media-stream',
    because: 'a page that asks for camera and microphone gets pictures of nothing',
  },
  {
    argument: '--use-fake-ui-for-media-stream',
    because: 'a headless shell knows no other way to hand out those devices',
    when: ({ isShell }) => isShell,
  },
  {
    argument: ({ proxy }) => `--proxy-server=${proxy}`,
    because: 'pages reach what the gate lets them reach',
    when: ({ proxy }) => proxy !== null,
  },
  {
    argument: '--proxy-bypass-list=<-loopback>',
    because: 'this machine as well is reached through the gate only',
    when: ({ proxy }) => proxy !== null,
  },
]

/**
 * The operator's arguments come last, because Chromium uses the last value of an argument. Lists of disabled features
 * are joined into one.
 */
export function chromiumArguments(
  circumstances: LaunchConditions,
  more: readonly string[] = [],
): readonly string[] {
  const ours = ARGUMENTS.filter(({ when }) => when?.(circumstances) ?? true).map(({ argument }) =>
    typeof argument === 'string' ? argument : argument(circumstances),
  )
  const all = [...ours, ...more]
  const off = all.filter((argument) => argument.startsWith(DISABLE))
  const joined = DISABLE + off.map((argument) => argument.slice(DISABLE.length)).join(',')
  return [...all.filter((argument) => !off.includes(argument)), joined]
}

/**
 * Whether the operator sets a proxy. Chromium then uses that proxy instead of the egress proxy, and that proxy
 * resolves host names.
 */
export function isProxyArgument(argument: string): boolean {
  return /^--(proxy-server|proxy-pac-url|proxy-auto-detect|no-proxy-server)\b/.test(argument)
}
