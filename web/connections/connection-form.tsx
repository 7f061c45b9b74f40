import { Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ApiConnection } from '../../src/http/shapes/connections.ts'
import {
  type ConnectionKind,
  type MicrosoftCloud,
  MICROSOFT_CLOUDS,
} from '../../src/http/shapes/values.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { ProjectInput } from '../projects/project-filter-field.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { readFormText, useFieldError } from '../ui/forms.tsx'
import type { ApiClient } from '../api/client.ts'
import { FileField, TextField, TextAreaField, toOptions, SecretField } from '../ui/fields.tsx'
import { Hint } from '../ui/text.tsx'

export const CLOUD_LABELS: Record<MicrosoftCloud, string> = {
  global: 'Worldwide, GCC',
  'us-gov-high': 'US Government GCC High',
  'us-gov-dod': 'US Government DoD',
}

const LINES = { rows: 3, spellCheck: false } as const

export const KIND_LABELS: Record<ConnectionKind, string> = {
  microsoft: 'Microsoft 365',
  google: 'Google Workspace',
}

interface ConnectionFormProps {
  kind: ConnectionKind
  /** Null to add a connection. */
  connection: ApiConnection | null
  onClose: () => void
  onSaved: () => void
}

/** Adds or changes a connection. A stored secret is never shown; an empty field keeps it. */
export function ConnectionForm({ kind, connection, onClose, onSaved }: ConnectionFormProps) {
  const [project, setProject] = useState(connection?.project ?? '')
  const submit = async (api: ApiClient, values: FormData) => {
    const fields = {
      name: readFormText(values, 'name'),
      organizers: readLines(values, 'organizers'),
      excludedTitles: readLines(values, 'excludedTitles'),
      ...(await readCredential(values)),
      ...(kind === 'google' && { readsCalendar: values.has('readsCalendar') }),
    }
    const chosen = project.trim() === '' ? null : project.trim()
    if (connection === null)
      await api.connections.create({
        ...fields,
        project: chosen,
        kind,
        ...(kind === 'microsoft' && readApplication(values)),
      })
    else
      await api.connections.update(connection.id, {
        ...fields,
        // Sent only if it changes, because an admin need not be able to use the current project.
        ...(chosen !== connection.project && { project: chosen }),
      })
  }
  return (
    <FormDialog
      title={connection === null ? `Connect ${KIND_LABELS[kind]}` : `Edit ${connection.name}`}
      size="lg"
      submitLabel={connection === null ? 'Connect' : 'Save'}
      onSubmit={submit}
      reloads={['connections']}
      onClose={onClose}
      onSaved={onSaved}
    >
      <TextField
        name="name"
        label="Name"
        defaultValue={connection?.name ?? ''}
        maxLength={100}
        hasAutofocus
      />
      {kind === 'google' ? (
        <GoogleFields connection={connection} />
      ) : (
        <>
          {connection === null && <ApplicationFields />}
          <CredentialFields isNew={connection === null} />
        </>
      )}
      <TextAreaField
        name="organizers"
        label="Organizers"
        description="One address per line, as people sign in with it. Meetings that they organize are read."
        defaultValue={connection?.organizers.map(({ address }) => address).join('\n') ?? ''}
        {...LINES}
      />
      <ProjectField project={project} onChange={setProject} />
      <TextAreaField
        name="excludedTitles"
        label="Excluded titles (optional)"
        description="One text per line. A meeting with one of them in its title is not read."
        defaultValue={connection?.excludedTitles.join('\n') ?? ''}
        isOptional
        {...LINES}
      />
    </FormDialog>
  )
}

function GoogleFields({ connection }: Pick<ConnectionFormProps, 'connection'>) {
  const keep = connection === null ? '' : ' Choose none to keep the current one.'
  return (
    <>
      <FileField
        name="serviceAccountKey"
        label="Key of the service account"
        description={`The JSON file from the Google Cloud console. It is stored encrypted and never shown again.${keep}`}
        accept="application/json,.json"
      />
      <Checkbox
        name="readsCalendar"
        label="Read titles and private events from calendars"
        description="Needs the scope calendar.events.readonly. Without it, meetings get a plain title, private events are read too, and no title can be excluded."
        defaultChecked={connection?.readsCalendar ?? true}
      />
    </>
  )
}

/** What cannot be changed later, because the transcripts would come from elsewhere. */
function ApplicationFields() {
  return (
    <>
      <TextField
        name="tenant"
        label="Directory (tenant) ID"
        description="On the overview page of the app registration"
        maxLength={253}
      />
      <TextField name="clientId" label="Application (client) ID" maxLength={36} />
      <NativeSelect name="cloud" label="Cloud" data={toOptions(CLOUD_LABELS, MICROSOFT_CLOUDS)} />
    </>
  )
}

const CREDENTIAL_LABELS = { secret: 'Client secret', certificate: 'Certificate' } as const

function CredentialFields({ isNew }: { isNew: boolean }) {
  const [kind, setKind] = useState('secret')
  const keep = isNew ? '' : ' Leave empty to keep the current one.'
  return (
    <>
      <NativeSelect
        label="Sign in with"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value)}
        data={toOptions(CREDENTIAL_LABELS)}
      />
      {kind === 'secret' ? (
        <SecretField
          name="clientSecret"
          label="Client secret"
          description={`Its value, not its ID. It is stored encrypted and never shown again.${keep}`}
          maxLength={500}
          isOptional={!isNew}
        />
      ) : (
        <TextAreaField
          name="certificate"
          label="Private key and certificate"
          description={`PEM text with both. It is stored encrypted and never shown again.${keep}`}
          maxLength={20_000}
          spellCheck={false}
          rows={6}
          isOptional={!isNew}
        />
      )}
    </>
  )
}

function ProjectField({
  project,
  onChange,
}: {
  project: string
  onChange: (project: string) => void
}) {
  return (
    <>
      <ProjectInput
        name="project"
        description="An existing project. Empty: a private project of each organizer, who then needs an account here"
        value={project}
        error={useFieldError('project')}
        onChange={onChange}
      />
      {project.trim() === '' ? (
        <Hint>Only its organizer will be able to read a meeting.</Hint>
      ) : (
        <WhoMayRead project={project} what="the meetings" />
      )}
    </>
  )
}

function readLines(values: FormData, name: string): string[] {
  return readFormText(values, name)
    .split(/\r?\n/)
    .flatMap((line) => line.trim() || [])
}

function readApplication(values: FormData) {
  return {
    tenant: readFormText(values, 'tenant'),
    clientId: readFormText(values, 'clientId'),
    cloud: readFormText(values, 'cloud') as MicrosoftCloud,
  }
}

async function readCredential(values: FormData) {
  const file = values.get('serviceAccountKey')
  const clientSecret = readFormText(values, 'clientSecret')
  const certificate = readFormText(values, 'certificate')
  return {
    ...(clientSecret !== '' && { clientSecret }),
    ...(certificate !== '' && { certificate }),
    ...(file instanceof File && file.size > 0 && { serviceAccountKey: await file.text() }),
  }
}
