import { Box, Button, Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { MemberRole } from '../../src/http/shapes/values.ts'
import { useApi } from '../api/app-state.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText } from '../ui/forms/form.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { MEMBER_ROLE_OPTIONS } from './access-labels.ts'
import { useReloadProjectAccess } from './queries.ts'

/** Adds a person of this instance to a project by their email address. */
export function AddMemberForm({ project }: { project: string }) {
  const api = useApi()
  const reload = useReloadProjectAccess()
  // A new key empties the field after a person was added.
  const [addedCount, setAddedCount] = useState(0)
  const action = useAction(async (values: FormData) => {
    await api.projects.setMember(project, {
      email: readFormText(values, 'email'),
      role: readFormText(values, 'role') as MemberRole,
    })
    setAddedCount((count) => count + 1)
    await reload()
  })
  return (
    <Form action={action}>
      <Group align="flex-end" gap="sm">
        <Box key={addedCount} flex="1 1 220px">
          <TextField
            name="email"
            type="email"
            label="Add a person"
            description="Email address of someone who can sign in here"
            autoComplete="off"
            maxLength={254}
          />
        </Box>
        <NativeSelect name="role" label="Role" defaultValue="reader" data={MEMBER_ROLE_OPTIONS} />
        <Button type="submit" loading={action.isRunning}>
          Add
        </Button>
      </Group>
    </Form>
  )
}
