import { openCalendarsArea, type CalendarsArea } from '../calendars/area.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import type { Config } from '../config/config.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { createTrustedTlsContext } from '../deliveries/network/http/trusted-certificates.ts'
import type { NetworkPolicy } from '../deliveries/network/policy/network-policy.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { formatChatNotice } from '../meetings/chat/chat-notice.ts'
import type { LeaveRules, MeetingOptions } from '../meetings/meeting.ts'
import type { Meetings } from '../meetings/meetings.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'
import type { BotPlatformsArea } from './bots.ts'

type Parts = {
  config: Config
  log: Log
  clock: Clock
  storage: MigratedStorage
  membership: NodeMembership
  meetings: Meetings
  platforms: readonly Platform[]
  policy: NetworkPolicy
  extraCa: string | undefined
  botAccounts: BotPlatformsArea['accounts']
  findCallbackProblem(url: string): Promise<string | null>
}

/** Opens the calendars area with the values of the settings. */
export function openCalendarsAreaFromConfig(parts: Parts): CalendarsArea {
  const { config, storage, botAccounts, extraCa } = parts
  return openCalendarsArea({
    ...parts,
    db: storage.database.db,
    secretBox: storage.secretBox,
    secureContext: createTrustedTlsContext(extraCa),
    times: { intervalMs: config.calendarPollSeconds * 1_000, random: Math.random },
    timeZone: config.timeZone,
    defaultOptions: toDefaultOptions(config),
    findAccountProblem: (account) => botAccounts.findProblem(null, account),
  })
}

/** The options of a meeting that nobody chose options for. */
function toDefaultOptions(config: Config): MeetingOptions {
  const { botName } = config
  const notice = formatChatNotice(config.chatNotice, { botName, hasCommands: true })
  return {
    language: null,
    botName,
    account: null,
    coach: true,
    events: null,
    leave: toLeaveRules(config),
    chat: { notice, commands: true, store: false },
  }
}

export function toLeaveRules(config: Config): LeaveRules {
  return {
    lobbyTimeout: config.leaveLobbyTimeout,
    hostTimeout: config.leaveHostTimeout,
    nobodyJoined: config.leaveNobodyJoined,
    everyoneLeft: config.leaveEveryoneLeft,
    silence: config.leaveSilence ?? null,
    maxDuration: config.leaveMaxDuration,
  }
}
