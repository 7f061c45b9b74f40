import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import type { ApiCalendar, ApiCalendarRules } from '../../src/http/shapes/calendars.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { ProjectInput } from '../projects/project-filter-field.tsx'
import {
  TextField,
  FormButtons,
  Form,
  readFormText,
  useFieldError,
  useAction,
} from '../ui/forms/form.tsx'
import { CalendarPreview } from './calendar-preview.tsx'
import { MoreFields, readMoreFields, type MoreFieldValues } from './more-fields.tsx'
import type { KnownPreview, PreviewSource } from './queries.ts'
import { RuleFieldsInput } from './rule-fields.tsx'
import { fromRuleFields, NO_RULE_FIELDS, toRuleFields } from './rules.ts'

/** The values that the form saves. Fields that it does not show are left out and stay unchanged. */
export type CalendarBody = MoreFieldValues & {
  name: string
  address: string | null
  rules: ApiCalendarRules
  project?: string
}

interface CalendarFormProps {
  source: PreviewSource
  /** The stored calendar. Without it, the form is for a new one. */
  calendar?: ApiCalendar
  initialName: string
  initialAddress: string | null
  known?: KnownPreview
  submitLabel: string
  onSave: (body: CalendarBody) => Promise<void>
  onCancel: () => void
}

/** The rules and settings of a calendar, with a preview of the next two weeks. */
export function CalendarForm(props: CalendarFormProps) {
  const { source, calendar, known, submitLabel, onSave, onCancel } = props
  const [fields, setFields] = useState(calendar ? toRuleFields(calendar.rules) : NO_RULE_FIELDS)
  const [address, setAddress] = useState(props.initialAddress ?? '')
  const [project, setProject] = useState(calendar?.project ?? '')
  const chosen = { address: address.trim() || null, rules: fromRuleFields(fields) }
  const action = useAction((values: FormData) =>
    onSave({
      name: readFormText(values, 'name'),
      ...chosen,
      // Sent only if it changes, because a person can lose the right to use a calendar's project.
      ...(project.trim() !== (calendar?.project ?? '') && { project: project.trim() }),
      ...readMoreFields(values),
    }),
  )
  return (
    <Form action={action}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <RuleFieldsInput
          fields={fields}
          address={address}
          onChange={setFields}
          onAddressChange={setAddress}
        />
        <CalendarPreview source={source} rules={chosen} initial={known} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <TextField
          name="name"
          label="Name of the calendar"
          description="Shown on the Upcoming page"
          defaultValue={props.initialName}
          maxLength={100}
          autoComplete="off"
        />
        <ProjectField project={project} isNew={calendar === undefined} onChange={setProject} />
      </SimpleGrid>
      <WhoMayRead
        project={project}
        what="these meetings"
        isPrivateByDefault={calendar === undefined}
      />
      <MoreFields calendar={calendar} />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        {submitLabel}
      </FormButtons>
    </Form>
  )
}

interface ProjectFieldProps {
  project: string
  isNew: boolean
  onChange: (project: string) => void
}

function ProjectField({ project, isNew, onChange }: ProjectFieldProps) {
  return (
    <div>
      <ProjectInput
        name="project"
        description={`Where the transcripts of these meetings are saved.${isNew ? ' Default: a private project of yours' : ''}`}
        value={project}
        error={useFieldError('project')}
        onChange={onChange}
        autoComplete="off"
        maxLength={64}
      />
    </div>
  )
}
