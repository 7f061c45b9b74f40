import { openChatInput, type ChatControls } from '../page-session/page-platform.ts'
import type { MicrosoftTeamsPartName } from './selectors.ts'

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
