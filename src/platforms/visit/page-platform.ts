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
  /** What is opened; it may hold secrets. */
  open(visit: Visit): Promise<string>
  /** What is done when the page is in a state, as often as it comes to be. */
  steps: Readonly<Partial<Record<State, Step>>>
  captions: CaptionControls
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
export type Act = (hand: Hand) => Promise<boolean>

/** `knocked`: we have asked to be let in. */
export type Step = (hand: Hand, visit: Visit) => Promise<'knocked' | 'done' | 'nothing'>

export type CaptionControls = {
  /** In this order; the first that works. */
  turnOn: readonly Act[]
  /** The region may come only with the first words, so that its absence proves nothing. */
  comesWithSpeech: boolean
  setLanguage(hand: Hand, language: string): Promise<boolean>
  /** The language they are in, where the page says it. */
  language?(hand: Hand): Promise<string | null>
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
