import type { WireCalendar } from '../../src/http/shapes/calendars.ts'
import { useApi } from '../api/app-state.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { CalendarForm } from './calendar-form.tsx'
import { useReloadCalendars } from './queries.ts'

interface EditCalendarDialogProps {
  calendar: WireCalendar
  onClose: () => void
  onSaved: () => void
}

/** Changes a calendar's rules and settings, with a preview of their effect. */
export function EditCalendarDialog({ calendar, onClose, onSaved }: EditCalendarDialogProps) {
  const api = useApi()
  const reload = useReloadCalendars()
  return (
    <Dialog title="Edit calendar" size="wide" onClose={onClose}>
      <CalendarForm
        source={{ calendarId: calendar.id }}
        calendar={calendar}
        initialName={calendar.name}
        initialAddress={calendar.address}
        submitLabel="Save"
        onSave={async (body) => {
          await api.calendars.update(calendar.id, body)
          await reload()
          onClose()
          onSaved()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}
