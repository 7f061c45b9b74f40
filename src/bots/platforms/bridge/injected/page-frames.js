import { isHostOrSubdomain } from './match-host.js'

/** A smaller frame shows nothing to people, such as the frames in which pages sign in silently. */
const MIN_FRAME_SIZE = 150

/** Whether this document is the page itself, or a frame of the platform inside it. */
export function belongsToPage(hosts) {
  return window === window.top || isHostOrSubdomain(location.hostname, hosts)
}

/** Whether people can see this document. Parts of a hidden frame look visible from inside the frame. */
export function isFrameVisible() {
  if (window === window.top) return true
  return window.innerWidth >= MIN_FRAME_SIZE && window.innerHeight >= MIN_FRAME_SIZE
}
