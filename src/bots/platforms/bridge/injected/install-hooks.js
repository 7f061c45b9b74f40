import { hookHttpCalls } from './hook-http.js'
import { hookChannels, isHostOrSubdomain } from './hook-channels.js'
import { createMessageSender } from './message-sender.js'

/**
 * Listens to what the page's own scripts get from the platform's servers. Installed before them; it never
 * throws into the page and never changes what the page gets.
 */
export function installHooks(send, wanted) {
  if (!isHostOrSubdomain(location.hostname, wanted.hosts)) return
  const sender = createMessageSender(send)
  for (const install of [hookChannels, hookHttpCalls])
    sender.runGuarded(() => install(sender, wanted))
}
