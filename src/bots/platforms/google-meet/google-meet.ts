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
} from '../page-session/page-platform.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform, Participant } from '../platform.ts'
import { parseGoogleMeetLink } from './meeting-link.ts'
import { GOOGLE_MEET_PAGE_MODEL } from './page-model.ts'
import type { GoogleMeetPartName } from './selectors.ts'
import { createGoogleMeetWireReader, GOOGLE_MEET_TRAFFIC_FILTER } from './wire/wire-reader.ts'

const GOOGLE_MEET_CAPTION_CONTROLS: CaptionControls<GoogleMeetPartName> = {
  // A prompt may cover the button, which then still reacts to a click that is sent to it. The key does the same as the
  // button, which may be hidden in a menu.
  turnOn: [
    areCaptionsOn,
    (actions) => actions.click('captionsTurnOn'),
    (actions) => actions.clickHidden('captionsTurnOn'),
    (actions) => actions.click('captionsButton'),
    (actions) => actions.pressKeys('captionsTurnOn'),
  ],
  turnOnAgain: null,
  appearsOnlyWithSpeech: false,
  rowContent: 'turn',
  offPart: 'captionsTurnOn',
  onPart: 'captionsTurnOff',
  setLanguage,
}

/**
 * The chat of Google Meet. Its panel is closed after each use, because the open panel moves toolbar buttons into menus.
 * The messages stay in the page.
 */
export const GOOGLE_MEET_CHAT_CONTROLS: ChatControls<GoogleMeetPartName> = {
  maxChars: 500,
  mustStayOpen: false,
  isOpen: (actions) => actions.isShown('chatInput'),
  async open(actions) {
    if (!(await openChatInput(actions))) return false
    await actions.click('chatButton')
    return true
  },
  async post(actions, text) {
    if (!(await openChatInput(actions)) || !(await actions.fill('chatInput', text))) return false
    const isSent = (await actions.click('chatSend')) || (await actions.pressKeys('chatSend'))
    await actions.click('chatButton')
    return isSent
  },
}

/** Google Meet cuts longer names. */
const MAX_NAME_CHARS = 60

/** What the bot does in each state before the call. Dialogs come in any order, and some come twice. */
const GOOGLE_MEET_JOIN_STEPS: JoinStepsByPageState<GoogleMeetPartName> = {
  cookies: async (actions) => ((await actions.click('cookieReject')) ? 'done' : 'nothing'),
  'account in call': joinOnSecondDevice,
  prejoin,
}

const HOST = /\bhost\b/i
const SELF = /^\(.{1,20}\)$/
const SCREEN = /^presentation$/i

/**
 * Some calls ask whether to end the call for everyone, but the bot only leaves. On a busy machine, the toolbar may hide again
 * before the click arrives.
 */
async function leaveGoogleMeet(actions: Actions): Promise<boolean> {
  const hasLeft = (await actions.click('leaveButton')) || (await actions.clickHidden('leaveButton'))
  if (await actions.isShown('leaveConfirm')) await actions.click('leaveConfirm')
  return hasLeft
}

/** The home button cancels the request to join. In an unknown language, closing the page cancels it. */
async function cancelGoogleMeetJoin(actions: Actions): Promise<boolean> {
  return (await actions.click('homeButton')) || (await actions.click('leaveButton'))
}

export function createGoogleMeet(options: PagePlatformOptions): Platform {
  const page: PagePlatform = {
    name: 'google_meet',
    title: PLATFORM_INFO.google_meet.title,
    origins: ['https://meet.google.com'],
    trafficFilter: GOOGLE_MEET_TRAFFIC_FILTER,
    pageModel: options.pageModel ?? (() => Promise.resolve(GOOGLE_MEET_PAGE_MODEL)),
    // `hl=en` makes Google Meet use English, because the page model knows most texts in English.
    resolveJoinUrl: ({ link }) => Promise.resolve({ url: `${link.url}?hl=en` }),
    joinSteps: GOOGLE_MEET_JOIN_STEPS,
    captions: GOOGLE_MEET_CAPTION_CONTROLS,
    chat: GOOGLE_MEET_CHAT_CONTROLS,
    hiddenSelectors: ['video', 'canvas'],
    openParticipantList: (actions) => actions.click('peopleButton'),
    parseParticipant: parseGoogleMeetParticipant,
    leave: leaveGoogleMeet,
    cancelJoin: cancelGoogleMeetJoin,
    createWireReader: createGoogleMeetWireReader,
  }
  return createPlatformInPage(page, parseGoogleMeetLink, options)
}

type Actions = PagePartActions<GoogleMeetPartName>

/** True if captions are already on. The other ways would then turn them off. */
async function areCaptionsOn(actions: Actions): Promise<boolean> {
  return (await actions.isShown('captionsTurnOff')) && (await actions.isShown('captionsRegion'))
}

/** Uses the language list next to the captions, or else the one in the settings. A click works on hidden items too. */
async function setLanguage(actions: Actions, language: string): Promise<boolean> {
  if (await actions.clickHidden('languageItem', language)) return true
  await actions.movePointer()
  if (!(await actions.click('moreButton'))) return false
  if (!(await actions.click('settingsItem'))) return false
  await actions.click('captionsTab')
  const isSet = await actions.clickHidden('languageItem', language)
  await actions.click('dialogClose')
  return isSet
}

/**
 * Looks for the way to join on a second device. Only a bot that rejoins moves the call here, because the call on the
 * other device is then its own earlier one.
 */
async function joinOnSecondDevice(
  actions: Actions,
  { isRejoin }: JoinStepRequest,
): ReturnType<JoinStep> {
  if (isRejoin) return (await actions.click('switchHere')) ? 'knocked' : 'nothing'
  return (await actions.click('otherWaysToJoin')) ? 'done' : 'nothing'
}

async function prejoin(actions: Actions, { displayName }: JoinStepRequest): ReturnType<JoinStep> {
  if (await actions.isShown('nameInput'))
    await actions.fill('nameInput', displayName.slice(0, MAX_NAME_CHARS))
  // In a language that the page model does not know, a dialog is recognised only because it covers the page.
  if (await actions.isShown('anyDialog')) {
    await actions.click('dialogChoice')
    return 'done'
  }
  await actions.click('microphoneIsOn')
  await actions.click('cameraIsOn')
  if (await actions.isShown('joinHereToo'))
    return (await actions.click('joinHereToo')) ? 'knocked' : 'nothing'
  if (!(await actions.isEnabled('joinButton'))) return 'nothing'
  return (await actions.click('joinButton')) ? 'knocked' : 'nothing'
}

/** Parses an entry of the participant list. Only the bot's own entry has a note in brackets: "(You)". */
export function parseGoogleMeetParticipant(
  item: ParticipantListItem,
): Omit<Participant, 'id'> | null {
  const name = item.label || (item.notes[0] ?? '')
  const notes = item.notes.filter((note) => note !== name)
  if (name === '' || notes.some((note) => SCREEN.test(note))) return null
  return {
    name,
    ...(notes.some((note) => HOST.test(note)) && { isHost: true }),
    ...(notes.some((note) => SELF.test(note)) && { isSelf: true }),
  }
}
