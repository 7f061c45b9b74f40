import type { Db } from '../../db/database.ts'
import { isTransient, retryTransient } from '../../db/transient-errors.ts'
import type { Log } from '../../log.ts'
import type { SelectorDrift, PlatformName, PlatformEvent } from '../../bots/platforms/platform.ts'
import { storeEvidence } from '../record/evidence.ts'
import type { MeetingMetrics } from '../metrics.ts'
import { LeaseLost, type MeetingLease } from '../store.ts'
import { driftWarnings, storeWarnings, unidentifiedWarning } from '../record/warnings.ts'

type DiagnosticKind = 'drift' | 'unidentified' | 'evidence'

/** What a bot brings back besides words, for whoever must find out what happened. */
export interface MeetingDiagnostics {
  record(event: Extract<PlatformEvent, { kind: DiagnosticKind }>, at: Date): Promise<void>
}

type Parts = {
  db: Db
  lease: MeetingLease
  platform: PlatformName
  metrics: MeetingMetrics
  log: Log
}

/** Written under the hold of the meeting. A note that cannot be kept does not end a visit. */
export function createMeetingDiagnostics({
  db,
  lease,
  platform,
  metrics,
  log,
}: Parts): MeetingDiagnostics {
  const drifted = (drifts: readonly SelectorDrift[], at: Date) => {
    const warnings = driftWarnings(drifts, at)
    const parts = warnings.map(({ subject }) => subject)
    for (const part of parts) metrics.countDrift(platform, part)
    if (parts.length > 0) log.warn({ platform, parts }, 'the page differs from the known one')
    return () => storeWarnings(db, lease, warnings)
  }
  const writing = (event: Extract<PlatformEvent, { kind: DiagnosticKind }>, at: Date) => {
    switch (event.kind) {
      case 'drift':
        return drifted(event.drifts, at)
      case 'unidentified':
        return () => storeWarnings(db, lease, [unidentifiedWarning(event.detail, at)])
      // It holds what people wrote, and stays out of the log.
      case 'evidence':
        return () => storeEvidence(db, lease, event.evidence, at)
    }
  }
  return {
    async record(event, at) {
      const write = writing(event, at)
      try {
        await retryTransient(write)
        log.debug(`${event.kind} kept`)
      } catch (error) {
        if (error instanceof LeaseLost || isTransient(error)) throw error
        log.warn({ err: error }, `${event.kind} not kept`)
      }
    },
  }
}
