import type { PersonItem, Heard } from '../bridge/messages.ts'
import type { Wanted } from '../bridge/scripts.ts'
import type { PageTable, State } from '../page/decide.ts'
import type { OverReason, Person, PlatformName, Visit } from '../platform.ts'
import type { WireCaption } from '../wire/facts.ts'
import type { WirePeople } from '../wire/people.ts'
import type { Hand } from './hand.ts'

/** What one platform that lives in a page says about itself; the engine does the rest. */
export type PagePlatform = {
  name: PlatformName
  title: string
  /** Origins that get camera and microphone: without them some pages ask, and others do not connect. */
  origins: readonly string[]
  wanted: Wanted
  /** Asked at every visit, as a file may have changed it. */
  table(): Promise<PageTable>
  /** What is opened; it may hold secrets. `unidentified`: why the bot cannot say who it is, where it should. */
  open(visit: Visit): Promise<{ url: string; unidentified?: string }>
  /** What is done when the page is in a state, as often as it comes to be. */
  steps: Steps
  captions: CaptionControls
  /** Pictures that nobody here looks at, as CSS: the page is quieted. Null: it does not bear that. */
  hides: readonly string[] | null
  /** Opens the list of people, for when the wire does not tell of them. */
  showPeople: Act
  /** Who an entry of that list is; null for ourselves and for what is no person. */
  person(item: PersonItem, visit: Visit): Omit<Person, 'id'> | null
  /** Out of the call. */
  leave: Act
  /** Out of the lobby or from before it. */
  withdraw: Act
  /** Our own name on the wire, where only the page knows it. */
  self?(hand: Hand): Promise<string | null>
  createWire(visit: Visit): WireReader
}

/** True when it did what it is for. */
export type Act<Name extends string = string> = (hand: Hand<Name>) => Promise<boolean>

/** `knocked`: we have asked to be let in. */
export type Step<Name extends string = string> = (
  hand: Hand<Name>,
  visit: Visit,
) => Promise<'knocked' | 'done' | 'nothing'>
export type Steps<Name extends string = string> = Readonly<Partial<Record<State, Step<Name>>>>

export type CaptionControls<Name extends string = string> = {
  /** In this order; the first that works. */
  turnOn: ReadonlyArray<Act<Name>>
  /** The region may come only with the first words, so that its absence proves nothing. */
  comesWithSpeech: boolean
  setLanguage(hand: Hand<Name>, language: string): Promise<boolean>
  /** The language they are in, where the page says it. */
  language?(hand: Hand<Name>): Promise<string | null>
}

/** Reads what the page's own scripts get from the platform's servers. */
export interface WireReader {
  readonly people: WirePeople
  hear(heard: Heard): WireNews
}

export type WireNews = {
  captions?: WireCaption[]
  /** The roster was told of, whether or not anybody came or went. */
  hasRoster?: boolean
  end?: OverReason
  /** The platform takes us for a program. */
  isSuspected?: boolean
  /** Something that no decoder of ours reads. */
  isUnread?: boolean
}
