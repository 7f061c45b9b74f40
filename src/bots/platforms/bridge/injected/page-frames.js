import { isHostOrSubdomain } from './match-host.js'

/** A smaller frame shows nothing to people. Pages sign in silently in such frames, for example. */
const MIN_FRAME_SIZE = 150

/** True if this document is the page itself, or a frame of the platform in it. */
export function belongsToPage(hosts) {
  return window === window.top || isHostOrSubdomain(location.hostname, hosts)
}

/** True if people can see this document. From inside a hidden frame, its parts look visible. */
export function isFrameVisible() {
  if (window === window.top) return true
  return window.innerWidth >= MIN_FRAME_SIZE && window.innerHeight >= MIN_FRAME_SIZE
}
