import { z } from 'zod'
import type { PageActions } from '../page-session/page-actions.ts'
import type { CaptionControls } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPart } from './selectors.ts'

type TeamsPageActions = PageActions<MicrosoftTeamsPart>

/** The object of the page's calling library, by either of the names under which it has been seen. */
const CALL =
  '(window.callingDebug?.observableCall ?? window.msteamscalling?.deref?.()?.callingService?.getActiveCall?.())'

const LIBRARY_TRIES = 3

/** The library first: it does not toggle, and asks for no menus that differ between guests and hosts. */
export const MICROSOFT_TEAMS_CAPTION_CONTROLS: CaptionControls<MicrosoftTeamsPart> = {
  turnOn: [turnOnByLibrary, turnOnByMenu, turnOnByKeys],
  appearsOnlyWithSpeech: true,
  setLanguage: async (hand, language) =>
    (await languageByLibrary(hand, language)) || languageByMenu(hand, language),
  readLanguage: async (hand) =>
    nonEmptyText(await hand.evaluateInPage(`(${CALL})?.getClosedCaptionsLanguage?.()`)),
}

/** Our own name on the wire. */
export async function readOwnMri(hand: TeamsPageActions): Promise<string | null> {
  return nonEmptyText(await hand.evaluateInPage(`(${CALL})?.callerMri`))
}

async function languageByLibrary(hand: TeamsPageActions, language: string): Promise<boolean> {
  const tag = JSON.stringify(language.toLowerCase())
  const set = `(() => { const call = ${CALL}; if (!call?.setClosedCaptionsLanguage) return false; call.setClosedCaptionsLanguage(${tag}); return true })()`
  return (await hand.evaluateInPage(set)) === true
}

/** In the settings of captions, where a choice counts only when it is confirmed. */
async function languageByMenu(hand: TeamsPageActions, language: string): Promise<boolean> {
  await hand.movePointer()
  const isOpen = await hand.isShown('languageChoice')
  if (!isOpen && !(await openMenu(hand))) return false
  if (!isOpen && !(await clickItem(hand, 'captionSettingsItem'))) return false
  await hand.click('languageChoice')
  const isChosen = await hand.clickHidden('languageItem', language)
  const isClosed = await hand.click(isChosen ? 'languageConfirm' : 'cancelButton')
  return isChosen && isClosed
}

/** Asked again when it does not answer: that turns nothing off, as the ways after it might. */
async function turnOnByLibrary(hand: TeamsPageActions): Promise<boolean> {
  const start = `(() => { const call = ${CALL}; if (!call?.startClosedCaption) return false; call.startClosedCaption(); return true })()`
  for (let times = 0; times < LIBRARY_TRIES; times += 1) {
    const answer = await hand.evaluateInPage(start)
    if (answer !== null) return answer === true
  }
  return false
}

/** A guest finds captions in the menu itself, a host one level deeper. */
async function turnOnByMenu(hand: TeamsPageActions): Promise<boolean> {
  return (await openMenu(hand)) && (await clickItem(hand, 'captionsItem'))
}

/** Its button closes a menu that an earlier try has left open. */
async function openMenu(hand: TeamsPageActions): Promise<boolean> {
  if (!(await isMenuOpen(hand)) && !(await hand.click('moreButton'))) return false
  if (await hand.isShown('captionsItem')) return true
  if (await hand.isShown('languageMenu')) await hand.click('languageMenu')
  return true
}

async function isMenuOpen(hand: TeamsPageActions): Promise<boolean> {
  return (await hand.isShown('captionsItem')) || (await hand.isShown('languageMenu'))
}

/** A menu without the item is closed again. */
async function clickItem(hand: TeamsPageActions, item: MicrosoftTeamsPart): Promise<boolean> {
  if (await hand.click(item)) return true
  if (await isMenuOpen(hand)) await hand.click('moreButton')
  return false
}

/** Whether the keys did anything can only be seen. */
async function turnOnByKeys(hand: TeamsPageActions): Promise<boolean> {
  await hand.pressKeys('captionsItem')
  return false
}

function nonEmptyText(said: unknown): string | null {
  return z.string().min(1).max(200).safeParse(said).data ?? null
}
