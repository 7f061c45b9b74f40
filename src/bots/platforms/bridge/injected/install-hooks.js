import { hookTracks } from './hearing/hook-tracks.js'
import { hookCallbacks } from './hook-callbacks.js'
import { hookHttpCalls } from './hook-http.js'
import { hookChannels } from './hook-channels.js'
import { isHostOrSubdomain } from './match-host.js'
import { createMessageSender } from './message-sender.js'
import { createConstructorObserver } from './observe-new.js'

/**
 * Reports what the page's own scripts receive from the platform's servers. The hooks are installed before the
 * page's scripts, never throw into the page and never change what it receives. The event `hearingEvent` turns
 * reporting of sound on and off.
 */
export function installHooks(send, trafficFilter, hearingEvent) {
  if (!isHostOrSubdomain(location.hostname, trafficFilter.hosts)) return
  const sender = createMessageSender(send)
  const tools = { ...sender, observeNew: createConstructorObserver(sender.runGuarded) }
  const hooks = [hookChannels, hookHttpCalls, hookCallbacks]
  // Only pages with a secure address have it.
  if ('MediaStreamTrackProcessor' in globalThis) hooks.push(hookTracks)
  for (const install of hooks)
    sender.runGuarded(() => install(tools, { ...trafficFilter, hearingEvent }))
}
