import type { PageBridge } from '../bridge/bridge.ts'
import type { BridgeMessage, ReceivedTrafficMessage } from '../bridge/messages.ts'
import type { WireUpdate } from '../wire/wire-reader.ts'
import type { PageStateTracker } from './page/page-state.ts'

/** Sees what a session reads, and changes nothing. */
export interface SessionInspector {
  /** Called after each message of our scripts in the page. */
  inspectPage(
    message: BridgeMessage,
    pageState: Pick<PageStateTracker, 'latest' | 'phase' | 'observation'>,
    bridge: Pick<PageBridge, 'request'>,
  ): void
  /** Called with each message of the wire and what it contained. */
  inspectTraffic(traffic: ReceivedTrafficMessage, update: WireUpdate): void
}
