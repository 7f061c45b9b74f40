import { z } from 'zod'
import type { ParticipantListItem } from '../bridge/messages.ts'
import { createPlatformInPage, type PagePlatformOptions } from '../page-session/attend-page.ts'
import type { PagePartActions } from '../page-session/page-actions.ts'
import {
  type PagePlatform,
  type CaptionControls,
  openChatInput,
  type ChatControls,
  type JoinStep,
  type JoinStepRequest,
  type JoinStepsByPageState,
  type PlatformPageAction,
} from '../page-session/page-platform.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform, Participant } from '../platform.ts'
import type { LoadTeamsBotToken } from './bot-identification.ts'
import { parseMicrosoftTeamsLink } from './meeting-link.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from './page-model.ts'
import type { MicrosoftTeamsPartName } from './selectors.ts'
import {
  createMicrosoftTeamsWireReader,
  MICROSOFT_TEAMS_TRAFFIC_FILTER,
} from './wire/wire-reader.ts'

export type MicrosoftTeamsOptions = PagePlatformOptions & {
  /** How a registered bot identifies itself. Without it, the bot joins as a guest. */
  identify?: LoadTeamsBotToken
}

type TeamsPageActions = PagePartActions<MicrosoftTeamsPartName>

/** The call object of the page's calling library, under one of its two known names. */
const CALL =
  '(window.callingDebug?.observableCall ?? window.msteamscalling?.deref?.()?.callingService?.getActiveCall?.())'

const LIBRARY_TRIES = 3

/** The calling library comes first: it needs no toggle and no menus, which differ between guests and hosts. */
const MICROSOFT_TEAMS_CAPTION_CONTROLS: CaptionControls<MicrosoftTeamsPartName> = {
  turnOn: [turnOnByLibrary, turnOnByMenu, turnOnByKeys],
  turnOnAgain: turnOnByLibrary,
  appearsOnlyWithSpeech: true,
  rowContent: 'utterance',
  offPart: 'captionsTurnOn',
  onPart: 'captionsTurnOff',
  setLanguage: async (actions, language) =>
    (await languageByLibrary(actions, language)) || languageByMenu(actions, language),
  readLanguage: async (actions) =>
    nonEmptyText(await actions.evaluateInPage(`(${CALL})?.getClosedCaptionsLanguage?.()`)),
}

/** The chat of Microsoft Teams. Messages are in the page only while the pane is open. */
export const MICROSOFT_TEAMS_CHAT_CONTROLS: ChatControls<MicrosoftTeamsPartName> = {
  maxChars: 2_000,
  mustStayOpen: true,
  isOpen: (actions) => actions.isShown('chatInput'),
  open: openChatInput,
  async post(actions, text) {
    if (!(await openChatInput(actions)) || !(await actions.fill('chatInput', text))) return false
    return actions.pressKeys('chatSend')
  },
}

/**
 * What the bot does in each state before the call. The light client asks about devices twice, and may turn into the
 * full client meanwhile. After either, its join button must be clicked again.
 */
const MICROSOFT_TEAMS_JOIN_STEPS: JoinStepsByPageState<MicrosoftTeamsPartName> = {
  launcher: async (actions) => ((await actions.click('joinOnWeb')) ? 'done' : 'nothing'),
  cookies: async (actions) => ((await actions.click('cookieReject')) ? 'done' : 'nothing'),
  'account in call': moveOwnCall,
  prejoin,
}

/** The notes that Teams adds to the names of participants without an account or from another organization. */
const NOTE =
  /\s*\((?:guest|unverified|external|unfamiliar)(?:[\s,]+(?:guest|unverified|external|unfamiliar))*\)$/i

/** On a busy machine, the toolbar may hide again before the click arrives. */
const clickLeaveInMicrosoftTeams: PlatformPageAction<MicrosoftTeamsPartName> = async (actions) =>
  (await actions.click('hangupButton')) || (await actions.clickHidden('hangupButton'))

/** Without the cancellation, participants still see the bot in the lobby for a while. */
const cancelMicrosoftTeamsJoin: PlatformPageAction<MicrosoftTeamsPartName> = (actions) =>
  actions.click('cancelButton')

export function createMicrosoftTeams(options: MicrosoftTeamsOptions): Platform {
  const page: PagePlatform = {
    name: 'microsoft_teams',
    title: PLATFORM_INFO.microsoft_teams.title,
    origins: [
      'https://teams.microsoft.com',
      'https://teams.live.com',
      'https://teams.cloud.microsoft',
      'https://gov.teams.microsoft.us',
      'https://dod.teams.microsoft.us',
    ],
    trafficFilter: MICROSOFT_TEAMS_TRAFFIC_FILTER,
    pageModel: options.pageModel ?? (() => Promise.resolve(MICROSOFT_TEAMS_PAGE_MODEL)),
    async resolveJoinUrl({ link }) {
      const { token, problem } = (await options.identify?.(link)) ?? { token: null, problem: null }
      const url = token === null ? link.url : `${link.url}#token=${encodeURIComponent(token)}`
      return { url, ...(problem !== null && { unidentified: problem }) }
    },
    joinSteps: MICROSOFT_TEAMS_JOIN_STEPS,
    captions: MICROSOFT_TEAMS_CAPTION_CONTROLS,
    chat: MICROSOFT_TEAMS_CHAT_CONTROLS,
    hiddenSelectors: ['video', 'canvas'],
    openParticipantList: (actions) => actions.click('rosterButton'),
    parseParticipant: parseMicrosoftTeamsParticipant,
    leave: clickLeaveInMicrosoftTeams,
    cancelJoin: cancelMicrosoftTeamsJoin,
    readOwnId: readBotWireId,
    createWireReader: createMicrosoftTeamsWireReader,
  }
  return createPlatformInPage(page, parseMicrosoftTeamsLink, options)
}

/** The bot's own id on the wire (MRI). */
async function readBotWireId(actions: TeamsPageActions): Promise<string | null> {
  return nonEmptyText(await actions.evaluateInPage(`(${CALL})?.callerMri`))
}

async function languageByLibrary(actions: TeamsPageActions, language: string): Promise<boolean> {
  const tag = JSON.stringify(language.toLowerCase())
  const set = `(() => { const call = ${CALL}; if (!call?.setClosedCaptionsLanguage) return false; call.setClosedCaptionsLanguage(${tag}); return true })()`
  return (await actions.evaluateInPage(set)) === true
}

/** Sets the caption language in the page's caption settings, where the choice must be confirmed. */
async function languageByMenu(actions: TeamsPageActions, language: string): Promise<boolean> {
  await actions.movePointer()
  const isOpen = await actions.isShown('languageChoice')
  if (!isOpen && !(await openMenu(actions))) return false
  if (!isOpen && !(await clickItem(actions, 'captionSettingsItem'))) return false
  await actions.click('languageChoice')
  const isChosen = await actions.clickHidden('languageItem', language)
  const isClosed = await actions.click(isChosen ? 'languageConfirm' : 'cancelButton')
  return isChosen && isClosed
}

/**
 * Turns captions on with the page's calling library, and retries if the library does not answer. Retrying is safe here,
 * but the menu and the keys could turn captions off again.
 */
async function turnOnByLibrary(actions: TeamsPageActions): Promise<boolean> {
  const start = `(() => { const call = ${CALL}; if (!call?.startClosedCaption) return false; call.startClosedCaption(); return true })()`
  for (let times = 0; times < LIBRARY_TRIES; times += 1) {
    const answer = await actions.evaluateInPage(start)
    if (answer !== null) return answer === true
  }
  return false
}

/** Guests have captions in the menu itself, hosts one level deeper. */
async function turnOnByMenu(actions: TeamsPageActions): Promise<boolean> {
  if (!(await openMenu(actions))) return false
  if (!(await actions.isShown('captionsHideItem'))) return clickItem(actions, 'captionsItem')
  // Captions are already on, and the item would turn them off.
  await closeMenu(actions)
  return true
}

/** Opens the menu unless an earlier attempt left it open. A click on the button would then close it. */
async function openMenu(actions: TeamsPageActions): Promise<boolean> {
  if (!(await isMenuOpen(actions)) && !(await actions.click('moreButton'))) return false
  if (await actions.isShown('captionsItem')) return true
  if (await actions.isShown('languageMenu')) await actions.click('languageMenu')
  return true
}

async function isMenuOpen(actions: TeamsPageActions): Promise<boolean> {
  return (await actions.isShown('captionsItem')) || (await actions.isShown('languageMenu'))
}

/** Clicks an item of the open menu, or closes the menu if it does not have the item. */
async function clickItem(
  actions: TeamsPageActions,
  item: MicrosoftTeamsPartName,
): Promise<boolean> {
  if (await actions.click(item)) return true
  await closeMenu(actions)
  return false
}

async function closeMenu(actions: TeamsPageActions): Promise<void> {
  if (await isMenuOpen(actions)) await actions.click('moreButton')
}

/** Presses the keys for captions. Always returns false, because only the page shows whether they had an effect. */
async function turnOnByKeys(actions: TeamsPageActions): Promise<boolean> {
  await actions.pressKeys('captionsItem')
  return false
}

function nonEmptyText(said: unknown): string | null {
  return z.string().min(1).max(200).safeParse(said).data ?? null
}

/** Only a bot that rejoins moves the call here, because the call on the other device is then its own earlier one. */
async function moveOwnCall(
  actions: TeamsPageActions,
  { isRejoin }: JoinStepRequest,
): ReturnType<JoinStep> {
  return isRejoin && (await actions.click('transferCall')) ? 'done' : 'nothing'
}

async function prejoin(
  actions: TeamsPageActions,
  { displayName }: JoinStepRequest,
): ReturnType<JoinStep> {
  if (await actions.isShown('nameInput')) await actions.fill('nameInput', displayName)
  for (const part of ['microphoneSwitch', 'cameraSwitch'] as const)
    if (await actions.isChecked(part)) await actions.click(part)
  if (!(await actions.isEnabled('joinButton'))) return 'nothing'
  return (await actions.click('joinButton')) ? 'knocked' : 'nothing'
}

/** Parses an entry of the participant list. Its label continues after the name: "Ana, Organizer, muted". */
export function parseMicrosoftTeamsParticipant(
  item: ParticipantListItem,
): Omit<Participant, 'id'> | null {
  const name = (item.name || (item.label.split(',')[0] ?? '')).replace(NOTE, '').trim()
  if (name === '') return null
  return { name, ...(item.isHost && { isHost: true }) }
}
