import { hookCalls } from './calls.js'
import { hookChannels, isBelow } from './channels.js'
import { createTeller } from './teller.js'

/**
 * Listens to what the page's own scripts get from the platform's servers. Installed before them; it never
 * throws into the page and never changes what the page gets.
 */
export function hook(send, wanted) {
  if (!isBelow(location.hostname, wanted.hosts)) return
  const teller = createTeller(send)
  for (const install of [hookChannels, hookCalls]) teller.safely(() => install(teller, wanted))
}
