import type { Log } from '../../log.ts'
import { createGalene, type GaleneSettings } from './galene/galene.ts'
import { createGoogleMeet } from './google-meet/google-meet.ts'
import { GOOGLE_MEET_PAGE_MODEL } from './google-meet/page-model.ts'
import type { LoadTeamsBotToken } from './microsoft-teams/bot-identification.ts'
import { createMicrosoftTeams } from './microsoft-teams/microsoft-teams.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from './microsoft-teams/page-model.ts'
import { createLivekit, type LivekitSettings } from './livekit/livekit.ts'
import type { PageModel } from './page-model/page-states.ts'
import { type PageModelsLoader, createPageModelsLoader } from './page-model/selectors-file.ts'
import type { AttendOptions } from './page-session/attend-page.ts'
import type { PagePlatformName } from './platform-info.ts'
import { PLATFORM_NAMES, type Platform, type PlatformName } from './platform.ts'
import { createPracticePlatform } from './practice/practice-platform.ts'
import { createZoom, type ZoomOptions } from './zoom/zoom.ts'

/** The parts of the service that platform code needs to create its `Platform`. */
export type PlatformDependencies = AttendOptions & {
  /** The built-in page models, changed by the operator's selectors file. */
  pageModels: PageModelsLoader<PagePlatformName>
  /** How a registered Teams bot identifies itself. Without it, the bot joins as a guest. */
  identifyTeamsBot?: LoadTeamsBotToken
  /** The Galène servers that bots may join; none by default. */
  galene?: GaleneSettings
  /** The LiveKit servers and the websites of La Suite Meet that bots may join; none by default. */
  livekit?: LivekitSettings
  /** The Zoom app of this instance; none by default. */
  zoom?: ZoomOptions['app']
}

/** The code of one platform; platform-info.ts has its data. */
type PlatformRow = {
  create(parts: PlatformDependencies): Platform
  /** What is known about the platform's pages; null if it needs no page. */
  pageModel: PageModel | null
}

export const PLATFORM_DEFINITIONS = {
  google_meet: {
    create: (parts) =>
      createGoogleMeet({ ...parts, pageModel: () => parts.pageModels.modelFor('google_meet') }),
    pageModel: GOOGLE_MEET_PAGE_MODEL,
  },
  microsoft_teams: {
    create: ({ identifyTeamsBot: identify, ...parts }) =>
      createMicrosoftTeams({
        ...parts,
        pageModel: () => parts.pageModels.modelFor('microsoft_teams'),
        ...(identify !== undefined && { identify }),
      }),
    pageModel: MICROSOFT_TEAMS_PAGE_MODEL,
  },
  galene: {
    create: ({ galene: settings = { hosts: [], password: null }, ...parts }) =>
      createGalene({ ...parts, settings }),
    pageModel: null,
  },
  livekit: {
    create: ({
      livekit: settings = { hosts: [], laSuiteMeetHosts: [], signToken: null },
      ...parts
    }) => createLivekit({ ...parts, settings }),
    pageModel: null,
  },
  zoom: { create: ({ zoom: app = null, log }) => createZoom({ app, log }), pageModel: null },
  practice: { create: () => createPracticePlatform(), pageModel: null },
} satisfies Readonly<Record<PlatformName, PlatformRow>>

/** Every platform. A link goes to the first one in this order that recognises it. */
export function createPlatforms(parts: PlatformDependencies): Platform[] {
  return PLATFORM_NAMES.map((name) => PLATFORM_DEFINITIONS[name].create(parts))
}

/** The page models of all platforms that meet in a page. `path` is HANSARD_SELECTORS_FILE. */
export function createPlatformPageModelLoader(
  path: string | undefined,
  log: Log,
): PageModelsLoader<PagePlatformName> {
  return createPageModelsLoader({ path, builtIn: builtInPageModels(), log })
}

function builtInPageModels(): Record<PagePlatformName, PageModel> {
  const rows = Object.entries(PLATFORM_DEFINITIONS).filter(
    ([, { pageModel }]) => pageModel !== null,
  )
  return Object.fromEntries(rows.map(([name, { pageModel }]) => [name, pageModel])) as Record<
    PagePlatformName,
    PageModel
  >
}
