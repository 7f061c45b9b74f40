import { z } from 'zod'
import type { Hand } from '../visit/hand.ts'
import type { CaptionControls } from '../visit/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

type TeamsHand = Hand<MicrosoftTeamsPart>

/** The object of the page's calling library, by either of the names under which it has been seen. */
const CALL =
  '(window.callingDebug?.observableCall ?? window.msteamscalling?.deref?.()?.callingService?.getActiveCall?.())'

const LIBRARY_TIMES = 3

/** The library first: it does not toggle, and asks for no menus that differ between guests and hosts. */
export const MICROSOFT_TEAMS_CAPTIONS: CaptionControls<MicrosoftTeamsPart> = {
  turnOn: [byLibrary, byMenu, byKeys],
  comesWithSpeech: true,
  setLanguage: async (hand, language) =>
    (await languageByLibrary(hand, language)) || languageByMenu(hand, language),
  language: async (hand) => text(await hand.inPage(`(${CALL})?.getClosedCaptionsLanguage?.()`)),
}

/** Our own name on the wire. */
export async function ownMri(hand: TeamsHand): Promise<string | null> {
  return text(await hand.inPage(`(${CALL})?.callerMri`))
}

async function languageByLibrary(hand: TeamsHand, language: string): Promise<boolean> {
  const tag = JSON.stringify(language.toLowerCase())
  const set = `(() => { const call = ${CALL}; if (!call?.setClosedCaptionsLanguage) return false; call.setClosedCaptionsLanguage(${tag}); return true })()`
  return (await hand.inPage(set)) === true
}

/** In the settings of captions, where a choice counts only when it is confirmed. */
async function languageByMenu(hand: TeamsHand, language: string): Promise<boolean> {
  await hand.wake()
  const isOpen = await hand.isShown('languageChoice')
  if (!isOpen && !(await openMenu(hand))) return false
  if (!isOpen && !(await clickItem(hand, 'captionSettingsItem'))) return false
  await hand.click('languageChoice')
  const isChosen = await hand.touch('languageItem', language)
  const isClosed = await hand.click(isChosen ? 'languageConfirm' : 'cancelButton')
  return isChosen && isClosed
}

/** Asked again when it does not answer: that turns nothing off, as the ways after it might. */
async function byLibrary(hand: TeamsHand): Promise<boolean> {
  const start = `(() => { const call = ${CALL}; if (!call?.startClosedCaption) return false; call.startClosedCaption(); return true })()`
  for (let times = 0; times < LIBRARY_TIMES; times += 1) {
    const answer = await hand.inPage(start)
    if (answer !== null) return answer === true
  }
  return false
}

/** A guest finds captions in the menu itself, a host one level deeper. */
async function byMenu(hand: TeamsHand): Promise<boolean> {
  return (await openMenu(hand)) && (await clickItem(hand, 'captionsItem'))
}

/** Its button closes a menu that an earlier try has left open. */
async function openMenu(hand: TeamsHand): Promise<boolean> {
  if (!(await isMenuOpen(hand)) && !(await hand.click('moreButton'))) return false
  if (await hand.isShown('captionsItem')) return true
  if (await hand.isShown('languageMenu')) await hand.click('languageMenu')
  return true
}

async function isMenuOpen(hand: TeamsHand): Promise<boolean> {
  return (await hand.isShown('captionsItem')) || (await hand.isShown('languageMenu'))
}

/** A menu without the item is closed again. */
async function clickItem(hand: TeamsHand, item: MicrosoftTeamsPart): Promise<boolean> {
  if (await hand.click(item)) return true
  if (await isMenuOpen(hand)) await hand.click('moreButton')
  return false
}

/** Whether the keys did anything can only be seen. */
async function byKeys(hand: TeamsHand): Promise<boolean> {
  await hand.press('captionsItem')
  return false
}

function text(said: unknown): string | null {
  return z.string().min(1).max(200).safeParse(said).data ?? null
}
