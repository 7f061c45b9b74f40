import type { BrowserAccount } from './browser-account.ts'
import type { HostEnvironment } from './find-browser.ts'

/** Environment variables that a browser needs. The others stay hidden from it, because some are secrets. */
const ALLOWED =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH|SystemRoot|LOCALAPPDATA)$/

/** Variables with the name and the folders of the service's account, which another account cannot use. */
const OF_SERVICE_ACCOUNT = /^(HOME|USER|LOGNAME|XAUTHORITY|XDG_\w+)$/

/** The variables of the service that a browser inherits when it runs as the account; null for the service's account. */
export function inheritedEnvironment(
  env: HostEnvironment['env'],
  account: BrowserAccount | null,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => ALLOWED.test(name) && (account === null || !OF_SERVICE_ACCOUNT.test(name)),
    ),
  )
}
