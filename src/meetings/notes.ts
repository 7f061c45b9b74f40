import type { Db } from '../db/open.ts'
import { isPassing, persevere } from '../db/passing-trouble.ts'
import type { Log } from '../log.ts'
import type { Drifted, PlatformName, Sighting } from '../platforms/platform.ts'
import { keepEvidence } from './evidence.ts'
import type { MeetingMetrics } from './metrics.ts'
import { HoldLost, type Hold } from './store.ts'
import { driftWarnings, keepWarnings, unidentifiedWarning } from './warnings.ts'

type Noted = 'drift' | 'unidentified' | 'evidence'

/** What a bot brings back besides words, for whoever must find out what happened. */
export interface Notes {
  keep(sighting: Extract<Sighting, { seen: Noted }>, at: Date): Promise<void>
}

type Parts = { db: Db; hold: Hold; platform: PlatformName; metrics: MeetingMetrics; log: Log }

/** Written under the hold of the meeting. A note that cannot be kept does not end a visit. */
export function createNotes({ db, hold, platform, metrics, log }: Parts): Notes {
  const drifted = (drifts: readonly Drifted[], at: Date) => {
    const warnings = driftWarnings(drifts, at)
    const parts = warnings.map(({ subject }) => subject)
    for (const part of parts) metrics.drifted(platform, part)
    if (parts.length > 0) log.warn({ platform, parts }, 'the page differs from the known one')
    return () => keepWarnings(db, hold, warnings)
  }
  const writing = (sighting: Extract<Sighting, { seen: Noted }>, at: Date) => {
    switch (sighting.seen) {
      case 'drift':
        return drifted(sighting.drifts, at)
      case 'unidentified':
        return () => keepWarnings(db, hold, [unidentifiedWarning(sighting.detail, at)])
      // It holds what people wrote, and stays out of the log.
      case 'evidence':
        return () => keepEvidence(db, hold, sighting.evidence, at)
    }
  }
  return {
    async keep(sighting, at) {
      const write = writing(sighting, at)
      try {
        await persevere(write)
        log.debug(`${sighting.seen} kept`)
      } catch (error) {
        if (error instanceof HoldLost || isPassing(error)) throw error
        log.warn({ err: error }, `${sighting.seen} not kept`)
      }
    },
  }
}
