import type { TrafficFilter } from '../bridge/build-scripts.ts'
import type { ParticipantListItem } from '../bridge/messages.ts'
import type { CaptionRowContent } from '../captions/tracked-row.ts'
import type { PageModel, PageStateName } from '../page-model/page-states.ts'
import type { Participant, PlatformName, JoinRequest } from '../platform.ts'
import type { WireReader } from '../wire/wire-types.ts'
import type { PagePartActions } from './page-actions.ts'

/** Everything that is specific to one platform with a meeting page. The page session treats all platforms alike. */
export type PagePlatform = {
  name: PlatformName
  title: string
  /** Origins that get camera and microphone. Without them, some pages ask for permission and others do not connect. */
  origins: readonly string[]
  trafficFilter: TrafficFilter
  /** The platform's page model. It is read for each visit, because the selectors file may have changed. */
  pageModel(): Promise<PageModel>
  /** The URL to open, which may contain secrets. `unidentified` says why a configured bot identification is missing. */
  resolveJoinUrl(joinRequest: JoinRequest): Promise<{ url: string; unidentified?: string }>
  /** The action for each state before the call, repeated while the state lasts. */
  joinSteps: JoinStepsByPageState
  captions: CaptionControls
  chat: ChatControls
  /** CSS selectors of video elements that low power hides; null if the page does not work with low power. */
  hiddenSelectors: readonly string[] | null
  /** Opens the participant list. Used if the wire has no roster. */
  openParticipantList: PlatformPageAction
  /** Parses an entry of the participant list; null for entries that are not people. */
  parseParticipant(item: ParticipantListItem): Omit<Participant, 'id'> | null
  leave: PlatformPageAction
  /** Leaves the lobby, or cancels the join before it. */
  cancelJoin: PlatformPageAction
  /** Reads the bot's own wire id, for platforms where only the page knows it. */
  readOwnId?(actions: PagePartActions): Promise<string | null>
  createWireReader(joinRequest: JoinRequest): WireReader
}

/** One action of a platform on its meeting page, such as leaving the call. Returns true if it succeeded. */
export type PlatformPageAction<Name extends string = string> = (
  actions: PagePartActions<Name>,
) => Promise<boolean>

/** What the bot does in one page state before the call. It returns `knocked` if the bot has now asked to join. */
export type JoinStep<Name extends string = string> = (
  actions: PagePartActions<Name>,
  joinRequest: JoinStepRequest,
) => Promise<'knocked' | 'done' | 'nothing'>
/** `isRejoin`: an earlier page session or bot of this meeting was in the call. */
export type JoinStepRequest = JoinRequest & { isRejoin: boolean }
export type JoinStepsByPageState<Name extends string = string> = Readonly<
  Partial<Record<PageStateName, JoinStep<Name>>>
>

export type CaptionControls<Name extends string = string> = {
  /** Ways to turn captions on, in order. The first one that succeeds is used. */
  turnOn: ReadonlyArray<PlatformPageAction<Name>>
  /** A way that changes nothing if captions are on. Null if every way may turn them off again. */
  turnOnAgain: PlatformPageAction<Name> | null
  /** True if the caption area appears only with the first words, so a missing area proves nothing. */
  appearsOnlyWithSpeech: boolean
  rowContent: CaptionRowContent
  /** The captions button while captions are off and while they are on, if the page shows it. */
  offPart: Name
  onPart: Name
  setLanguage(actions: PagePartActions<Name>, language: string): Promise<boolean>
  /** Reads the current caption language, if the page shows it. */
  readLanguage?(actions: PagePartActions<Name>): Promise<string | null>
}

export type ChatControls<Name extends string = string> = {
  /** Longer messages are cut. */
  maxChars: number
  /** True if the page has the messages only while the chat is open. */
  mustStayOpen: boolean
  isOpen: PlatformPageAction<Name>
  /** Makes the page load the messages. */
  open: PlatformPageAction<Name>
  /** Writes a message; false if the chat is missing or disabled. */
  post(actions: PagePartActions<Name>, text: string): Promise<boolean>
}

/** Opens the chat with its button unless its input is already shown. */
export async function openChatInput(
  actions: PagePartActions<'chatInput' | 'chatButton'>,
): Promise<boolean> {
  if (await actions.isShown('chatInput')) return true
  return (await actions.click('chatButton')) && actions.waitUntilShown('chatInput')
}
