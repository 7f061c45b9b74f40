import { useSignedInUser } from '../../api/app-state.tsx'
import {
  CalendarIcon,
  ChecklistIcon,
  FolderIcon,
  HomeIcon,
  MeetingIcon,
  PersonIcon,
  QuestionIcon,
  SearchIcon,
  SendIcon,
  SystemIcon,
  TaskIcon,
} from '../../ui/icons.tsx'

const PAGES = [
  { to: '/', label: 'Home', keys: 'g h', icon: <HomeIcon /> },
  { to: '/meetings', label: 'Meetings', keys: 'g m', icon: <MeetingIcon /> },
  { to: '/upcoming', label: 'Upcoming', keys: 'g u', icon: <CalendarIcon /> },
  { to: '/actions', label: 'Actions', keys: 'g c', icon: <ChecklistIcon /> },
  { to: '/tasks', label: 'Tasks', keys: 'g t', icon: <TaskIcon /> },
  { to: '/projects', label: 'Projects', keys: 'g p', icon: <FolderIcon /> },
  { to: '/search', label: 'Search', keys: 'g /', icon: <SearchIcon /> },
  { to: '/ask', label: 'Ask', keys: 'g q', icon: <QuestionIcon /> },
  { to: '/deliveries', label: 'Deliveries', keys: 'g d', icon: <SendIcon /> },
  { to: '/account', label: 'Account', keys: 'g a', icon: <PersonIcon /> },
] as const
const ADMIN_PAGES = [{ to: '/system', label: 'System', keys: 'g s', icon: <SystemIcon /> }] as const

/** The pages of the main menu. The command palette and the keyboard shortcuts use the same list. */
export function useMenuPages() {
  return useSignedInUser().role === 'admin' ? [...PAGES, ...ADMIN_PAGES] : PAGES
}
