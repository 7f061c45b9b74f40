import type { BrowserMode } from './find-browser.ts'

/** Chromium's arguments depend on these conditions. */
export type LaunchConditions = {
  mode: BrowserMode
  hasSandbox: boolean
  /** True for a headless shell, which is a smaller Chromium without windows. */
  isShell: boolean
  /** The profile folder. */
  profile: string
  /** URL of the egress proxy; null if the operator's arguments set another proxy. */
  proxy: string | null
}

type ArgumentRow = {
  argument: string | ((conditions: LaunchConditions) => string)
  because: string
  when?: (conditions: LaunchConditions) => boolean
}

export const WINDOW_SIZE = { width: 1280, height: 720 } as const

/**
 * Chromium features that call Google's servers, wait for a person, or disturb automation. Without the spare renderer
 * process and the address bar's pages, each bot also needs 50 MB less.
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

/** Sets the same WebRTC policy twice: the headless shell knows the first name, Chrome the second. */
const WEBRTC_POLICY_ARGUMENTS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** The complete list. Playwright's default arguments are not used, so each argument here has a reason. */
const ARGUMENTS: readonly ArgumentRow[] = [
  {
    argument: '--remote-debugging-pipe',
    because: 'no open port, and the browser ends with the service',
  },
  {
    argument: ({ profile }) => `--user-data-dir=${profile}`,
    because: 'one profile per browser, which is removed even after a crash',
  },
  { argument: '--headless', because: 'no window', when: ({ mode }) => mode !== 'headed' },
  {
    argument: '--no-sandbox',
    because:
      'the system does not allow the sandbox, or the service runs as root and cannot switch accounts',
    when: ({ hasSandbox }) => !hasSandbox,
  },
  { argument: '--no-startup-window', because: 'bots open their own pages' },
  { argument: '--no-first-run', because: 'no person can answer a question' },
  { argument: '--no-default-browser-check', because: 'no person can answer a question' },
  { argument: '--disable-search-engine-choice-screen', because: 'no person can answer a question' },
  { argument: '--disable-prompt-on-repost', because: 'no person can answer a question' },
  { argument: '--disable-hang-monitor', because: 'the pool detects hung pages itself' },
  { argument: '--disable-background-networking', because: 'only pages use the network' },
  { argument: '--disable-component-update', because: 'only pages use the network' },
  { argument: '--disable-sync', because: 'only pages use the network' },
  {
    argument: '--disable-quic',
    because: 'the egress proxy forwards only TCP, and waiting for UDP costs time',
  },
  ...WEBRTC_POLICY_ARGUMENTS.map((argument) => ({
    argument,
    because: 'WebRTC goes through the egress proxy too, which forwards only TCP',
  })),
  { argument: '--metrics-recording-only', because: 'nothing is reported to Google' },
  { argument: '--disable-breakpad', because: 'nothing is reported to Google' },
  { argument: '--disable-field-trial-config', because: 'the same browser on every start' },
  { argument: '--disable-default-apps', because: 'only pages are needed' },
  { argument: '--disable-extensions', because: 'only pages are needed' },
  { argument: `${DISABLE}${DISABLED_FEATURES.join(',')}`, because: 'see DISABLED_FEATURES' },
  { argument: '--password-store=basic', because: 'no desktop keyring is used' },
  { argument: '--use-mock-keychain', because: 'no keychain on macOS is used' },
  { argument: '--disable-dev-shm-usage', because: 'containers have only 64 MB of shared memory' },
  {
    argument: '--disable-background-timer-throttling',
    because: 'pages of bots are never in the foreground',
  },
  {
    argument: '--disable-backgrounding-occluded-windows',
    because: 'pages of bots are never in the foreground',
  },
  {
    argument: '--disable-renderer-backgrounding',
    because: 'pages of bots are never in the foreground',
  },
  { argument: '--disable-back-forward-cache', because: 'a closed page must free its memory' },
  { argument: '--allow-pre-commit-input', because: 'a click on a page that just loaded must work' },
  {
    argument:
      '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
    because: 'a server without a mouse must get the desktop version of pages',
    when: ({ mode }) => mode !== 'headed',
  },
  {
    argument: `--window-size=${WINDOW_SIZE.width},${WINDOW_SIZE.height}`,
    because: 'in smaller windows pages move buttons into menus',
  },
  {
    argument: '--force-color-profile=srgb',
    because: 'screenshots have the same colours on every machine',
  },
  { argument: '--lang=en-US', because: 'the page models know most texts in English' },
  { argument: '--mute-audio', because: 'a bot needs no sound' },
  {
    argument: '--autoplay-policy=no-user-gesture-required',
    because: 'no person can click to start playback',
  },
  {
    argument: '--use-fake-device-for-media-stream',
    because: 'a page that asks for camera and microphone gets fake devices',
  },
  {
    argument: '--use-fake-ui-for-media-stream',
    because: 'a headless shell cannot grant the devices in another way',
    when: ({ isShell }) => isShell,
  },
  {
    argument: ({ proxy }) => `--proxy-server=${proxy}`,
    because: 'pages reach only what the egress proxy allows',
    when: ({ proxy }) => proxy !== null,
  },
  {
    argument: '--proxy-bypass-list=<-loopback>',
    because: 'also local addresses go through the egress proxy',
    when: ({ proxy }) => proxy !== null,
  },
]

/**
 * Builds the list. The operator's arguments come last, because Chromium uses the last value of an argument. Lists of
 * disabled features are joined into one.
 */
export function buildChromiumArguments(
  conditions: LaunchConditions,
  operatorArguments: readonly string[] = [],
): readonly string[] {
  const builtIn = ARGUMENTS.filter(({ when }) => when?.(conditions) ?? true).map(({ argument }) =>
    typeof argument === 'string' ? argument : argument(conditions),
  )
  const all = [...builtIn, ...operatorArguments]
  const off = all.filter((argument) => argument.startsWith(DISABLE))
  const joined = DISABLE + off.map((argument) => argument.slice(DISABLE.length)).join(',')
  return [...all.filter((argument) => !off.includes(argument)), joined]
}

/**
 * True if this argument of the operator sets a proxy. Chromium then uses that proxy instead of the egress proxy, and
 * lets it resolve host names.
 */
export function overridesEgressProxy(argument: string): boolean {
  return /^--(proxy-server|proxy-pac-url|proxy-auto-detect|no-proxy-server)\b/.test(argument)
}
