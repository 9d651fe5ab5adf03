import { downloads } from '@dubplate/contract'
import { NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { zipFormatFor } from '../downloads/downloadFormats.ts'
import { rich } from '../format/message.ts'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Switch } from '../ui/Switch.tsx'
import type { ProfileFormState } from './ProfileForm.tsx'
import { FORMAT_NAMES } from './profileNames.ts'
import * as texts from './texts.ts'

type Props = { form: ProfileFormState }

/** Which files are downloaded: their format, and the versions of each song. */
export const FormatFields = ({ form }: Props) => (
  <AccountSection title={texts.formatAndVersions}>
    <FormatSelect form={form} />
    <Switch
      checked={form.values.preferred_versions}
      onChange={(preferred_versions) => form.setValues({ preferred_versions })}
      note={rich(texts.preferredVersionsHint, {
        link: (inside) => (
          <Link to="/account/display" hash="preferred-versions">
            {inside}
          </Link>
        ),
      })}
    >
      {texts.preferredVersions}
    </Switch>
  </AccountSection>
)

/** The formats that the pool offers. A profile keeps one that is no longer offered, in case it is offered again. */
function FormatSelect({ form }: Props) {
  const { data } = useApiQuery(downloads.customerDownloads, {})
  if (!data || data.conversions.length === 0) return null
  const { format } = form.values
  return (
    <NativeSelect
      label={texts.fileFormat}
      maw={372}
      data={(['original', ...data.conversions] as const).map((value) => ({ value, label: FORMAT_NAMES[value] }))}
      {...form.field('format', texts.fileFormatHint)}
      value={zipFormatFor(data, format)}
    />
  )
}
