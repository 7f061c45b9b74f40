import type { ParticipantListItem, TrafficMessage } from '../bridge/messages.ts'
import type { TrafficFilter } from '../bridge/build-scripts.ts'
import type { PageModel, PageStateName } from '../page-model/page-states.ts'
import type { PlatformEndReason, Participant, PlatformName, JoinRequest } from '../platform.ts'
import type { WireCaption } from '../wire/wire-types.ts'
import type { WireRoster } from '../wire/wire-roster.ts'
import type { PageActions } from './page-actions.ts'

/** What one platform that lives in a page says about itself; the engine does the rest. */
export type PagePlatform = {
  name: PlatformName
  title: string
  /** Origins that get camera and microphone: without them some pages ask, and others do not connect. */
  origins: readonly string[]
  trafficFilter: TrafficFilter
  /** Asked at every visit, as a file may have changed it. */
  pageModel(): Promise<PageModel>
  /** What is opened; it may hold secrets. `unidentified`: why the bot cannot say who it is, where it should. */
  resolveJoinUrl(joinRequest: JoinRequest): Promise<{ url: string; unidentified?: string }>
  /** What is done when the page is in a state, as often as it comes to be. */
  joinSteps: JoinSteps
  captions: CaptionControls
  /** Pictures that nobody here looks at, as CSS: the page is quieted. Null: it does not bear that. */
  hiddenSelectors: readonly string[] | null
  /** Opens the list of people, for when the wire does not tell of them. */
  openParticipantList: PageAction
  /** Who an entry of that list is; null for ourselves and for what is no person. */
  parseParticipant(
    item: ParticipantListItem,
    joinRequest: JoinRequest,
  ): Omit<Participant, 'id'> | null
  /** Out of the call. */
  leave: PageAction
  /** Out of the lobby or from before it. */
  cancelJoin: PageAction
  /** Our own name on the wire, where only the page knows it. */
  readOwnId?(actions: PageActions): Promise<string | null>
  createWireReader(joinRequest: JoinRequest): WireReader
}

/** True when it did what it is for. */
export type PageAction<Name extends string = string> = (
  actions: PageActions<Name>,
) => Promise<boolean>

/** `knocked`: we have asked to be let in. */
export type JoinStep<Name extends string = string> = (
  actions: PageActions<Name>,
  joinRequest: JoinRequest,
) => Promise<'knocked' | 'done' | 'nothing'>
export type JoinSteps<Name extends string = string> = Readonly<
  Partial<Record<PageStateName, JoinStep<Name>>>
>

export type CaptionControls<Name extends string = string> = {
  /** In this order; the first that works. */
  turnOn: ReadonlyArray<PageAction<Name>>
  /** The region may come only with the first words, so that its absence proves nothing. */
  appearsOnlyWithSpeech: boolean
  setLanguage(actions: PageActions<Name>, readLanguage: string): Promise<boolean>
  /** The language they are in, where the page says it. */
  readLanguage?(actions: PageActions<Name>): Promise<string | null>
}

/** Reads what the page's own scripts get from the platform's servers. */
export interface WireReader {
  readonly roster: WireRoster
  read(heard: TrafficMessage): WireUpdate
}

export type WireUpdate = {
  captions?: WireCaption[]
  /** The roster was told of, whether or not anybody came or went. */
  hasRoster?: boolean
  endReason?: PlatformEndReason
  /** The platform takes us for a program. */
  isFlaggedAsBot?: boolean
  /** Something that no decoder of ours reads. */
  isUndecoded?: boolean
}
