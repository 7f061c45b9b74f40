import type { BriefCollector } from '../brief/collect-brief.ts'
import { needsMasterKey, type Config } from '../config/config.ts'
import { readMailServer } from '../config/mail-settings.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { Log } from '../log.ts'
import { openMailArea, type MailArea } from '../mail/area.ts'
import type { RecapArea } from '../recap/area.ts'
import { createAudienceReader, createRecapReader } from './recap-mail.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'

type Parts = {
  config: Config
  log: Log
  clock: Clock
  tracer: Tracer
  storage: MigratedStorage
  baseUrl(): string
}

/** Opens the mail area with the values of the settings. */
export function openMailAreaFromConfig(
  parts: Parts,
  membership: NodeMembership,
  { recaps }: Pick<RecapArea, 'recaps'>,
  collectBrief: BriefCollector,
): MailArea {
  const { config, storage } = parts
  const { db } = storage.database
  return openMailArea({
    ...parts,
    db,
    collectBrief,
    timeZone: config.timeZone,
    readAudience: createAudienceReader(config),
    readRecap: createRecapReader({ db, recaps, timeZone: config.timeZone }),
    membership,
    secretBox: storage.secretBox,
    // A node that only attends meetings sends no mail.
    settings: needsMasterKey(config) ? readMailServer(config, readFileOrStdin) : null,
  })
}
