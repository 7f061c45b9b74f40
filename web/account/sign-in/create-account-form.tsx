import { Button } from '@mantine/core'
import { PASSWORD_ADVICE, PasswordField, TextField } from '../../ui/forms/fields.tsx'
import { Form, readFormText } from '../../ui/forms/form.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

export interface AccountFormValues {
  name: string
  email: string
  password: string
}

interface CreateAccountFormProps {
  email?: string | null
  onSubmit: (person: AccountFormValues) => Promise<void>
}

export function CreateAccountForm({ email, onSubmit }: CreateAccountFormProps) {
  const action = useAction((values: FormData) =>
    onSubmit({
      name: readFormText(values, 'name').trim(),
      email: readFormText(values, 'email').trim(),
      password: readFormText(values, 'password'),
    }),
  )
  return (
    <Form action={action}>
      <TextField name="name" label="Name" autoComplete="name" maxLength={100} />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={254}
        defaultValue={email ?? ''}
        description="You sign in with it. Hansard does not send email."
      />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="new-password"
        description={PASSWORD_ADVICE}
      />
      <Button type="submit" loading={action.isRunning} mt="xs">
        Create account
      </Button>
    </Form>
  )
}
