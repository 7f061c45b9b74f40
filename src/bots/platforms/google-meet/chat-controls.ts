import { openChatInput, type ChatControls } from '../page-session/page-platform.ts'
import type { GoogleMeetPartName } from './selectors.ts'

/**
 * The chat of Google Meet. Its panel is closed after each use, because the open panel moves buttons of the toolbar into
 * menus. The messages stay in the page.
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
