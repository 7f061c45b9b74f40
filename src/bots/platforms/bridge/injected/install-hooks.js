import { hookCallbacks } from './hook-callbacks.js'
import { hookHttpCalls } from './hook-http.js'
import { hookChannels } from './hook-channels.js'
import { isHostOrSubdomain } from './match-host.js'
import { createMessageSender } from './message-sender.js'

/**
 * Reports what the page's own scripts receive from the platform's servers. The hooks are installed before the page's
 * scripts, never throw into the page and never change what the page receives.
 */
export function installHooks(send, trafficFilter) {
  if (!isHostOrSubdomain(location.hostname, trafficFilter.hosts)) return
  const sender = createMessageSender(send)
  for (const install of [hookChannels, hookHttpCalls, hookCallbacks])
    sender.runGuarded(() => install(sender, trafficFilter))
}
