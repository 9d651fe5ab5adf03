import { downloads, settings } from '@dubplate/contract'
import { Alert, Checkbox, Group, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { SettingsCard } from './SettingsCard.tsx'
import { type Everything, useSettingsGroup } from './settingsGroup.ts'
import * as texts from './texts.ts'

/** The groups of settings that are plain fields. */

type Props = { all: Everything }

export function NameCard({ all }: Props) {
  const { pool_name } = all.settings
  const group = useSettingsGroup(all, {
    group: 'name',
    valuesOf: ({ settings }) => ({ pool_name: settings.pool_name.value }),
    toStored: ({ pool_name }) => ({ pool_name }),
  })
  return (
    <SettingsCard
      group={group}
      title={texts.name}
      description={texts.shownInTheHeaderIn}
      state={all.groups.name}
      isOverridden={pool_name.is_overridden}
      initialValue={`“${pool_name.first}”`}
    >
      <TextInput
        label={texts.siteName}
        maxLength={60}
        maw={420}
        autoComplete="off"
        {...group.form.field('pool_name')}
      />
    </SettingsCard>
  )
}

/** Whether visitors can find music here. */
export function VisitorsCard({ all }: Props) {
  const { public_browsing } = all.settings
  const group = useSettingsGroup(all, {
    group: 'visitors',
    valuesOf: ({ settings }) => ({ public_browsing: settings.public_browsing.value }),
    toStored: ({ public_browsing }) => ({ public_browsing }),
  })
  return (
    <SettingsCard
      group={group}
      title={texts.visitorAccess}
      description={texts.whenOffVisitorsMustSign}
      state={all.groups.visitors}
      isOverridden={public_browsing.is_overridden}
      initialValue={public_browsing.first ? texts.openToVisitors : texts.membersOnly}
    >
      <Switch label={texts.letVisitorsBrowseAndPlay} {...group.form.checkbox('public_browsing')} />
    </SettingsCard>
  )
}

const SECTIONS: Record<settings.Section, { name: string; description: string }> = {
  charts: { name: texts.charts, description: texts.chartsPagePlusTopDownloads },
  new_releases: { name: texts.newReleases, description: texts.newReleasesPageAndIts },
  spotlights: { name: texts.spotlights, description: texts.spotlightPagesTheHomePage },
  top20: { name: texts.top20, description: texts.top20PagesTheHome },
  moods: { name: texts.moods, description: texts.moodsInTheGenreMenu },
  kuts: { name: texts.kuts, description: texts.kutsListsForAppsThat },
  merchandise: { name: texts.merchandise, description: texts.merchandiseOnTheHomePage },
  newsletter: { name: texts.newsletterSignUp, description: texts.newsletterFormInTheFooter },
  careers: { name: texts.careers, description: texts.careersPageAndItsFooter },
  uploads: { name: texts.uploads, description: texts.uploadingAndEditingSongsSongs },
}

const describeHidden = (hidden: readonly settings.Section[]): string =>
  hidden.length === 0
    ? texts.allSections
    : format(texts.allSectionsExcept, {
        sections: formatList(
          hidden.map((section) => SECTIONS[section].name),
          'conjunction',
        ),
      })

/** Sections of the site that can be turned off. */
export function SectionsCard({ all }: Props) {
  const group = useSettingsGroup(all, {
    group: 'sections',
    valuesOf: ({ settings: { hidden } }) => ({
      shown: settings.SECTIONS.filter((section) => !hidden.value.includes(section)),
    }),
    toStored: ({ shown }) => ({ hidden: settings.SECTIONS.filter((section) => !shown.includes(section)) }),
  })
  return (
    <SettingsCard
      group={group}
      title={texts.sections}
      description={texts.hiddenSectionsDisappearFromMenus}
      state={all.groups.sections}
      isOverridden={all.settings.hidden.is_overridden}
      origin={texts.defaultLabel}
      initialValue={describeHidden(all.settings.hidden.first)}
    >
      <Checkbox.Group aria-label={texts.sections} {...group.form.field('shown')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {settings.SECTIONS.map((section) => (
            <Checkbox
              key={section}
              value={section}
              label={SECTIONS[section].name}
              description={SECTIONS[section].description}
            />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </SettingsCard>
  )
}

/** Limits and durations. */
export function LimitsCard({ all }: Props) {
  const { download_limit, upload_days, rescue_days } = all.settings
  const group = useSettingsGroup(all, {
    group: 'limits',
    valuesOf: ({ settings: { download_limit, upload_days, rescue_days } }) => ({
      download_limit: String(download_limit.value),
      upload_days: String(upload_days.value),
      rescue_days: String(rescue_days.value),
    }),
    toStored: (values) => ({
      download_limit: values.download_limit.trim(),
      upload_days: values.upload_days.trim(),
      rescue_days: values.rescue_days.trim(),
    }),
  })
  const { field } = group.form
  const number = { inputMode: 'numeric', autoComplete: 'off', maxLength: 4 } as const
  return (
    <SettingsCard
      group={group}
      title={texts.limits}
      description={texts.applyToFutureDownloadsAnd}
      state={all.groups.limits}
      isOverridden={[download_limit, upload_days, rescue_days].some(({ is_overridden }) => is_overridden)}
      initialValue={format(texts.downloadsAndDays, {
        downloads: download_limit.first,
        days: upload_days.first,
        rescue: rescue_days.first,
      })}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={texts.downloadsPerVersion}
          {...number}
          {...field('download_limit', texts.howManyTimesAMember)}
        />
        <TextInput
          label={texts.uploadLifetimeDays}
          {...number}
          {...field('upload_days', texts.appliesToSongsSavedOr)}
        />
        <TextInput label={texts.rescuePeriodDays} {...number} {...field('rescue_days', texts.howLongMembersCanGet)} />
      </SimpleGrid>
    </SettingsCard>
  )
}

const CONVERSIONS: Record<downloads.ConversionFormat, { name: string; description: string }> = {
  mp3: { name: texts.mp3At320, description: texts.forPlayersAndPhones },
  aiff: { name: texts.aiff, description: texts.theSameSamplesWithTags },
}

const describeConversions = (formats: readonly downloads.ConversionFormat[]): string =>
  formats.length === 0 ? texts.originalFilesOnly : formats.map((each) => CONVERSIONS[each].name).join(', ')

/** What lossless versions can be downloaded as besides their own format. */
export function ConversionsCard({ all }: Props) {
  const { conversions } = all.settings
  const group = useSettingsGroup(all, {
    group: 'conversions',
    valuesOf: ({ settings }): { conversions: string[] } => ({ conversions: settings.conversions.value }),
    toStored: (values) => ({
      conversions: downloads.CONVERSION_FORMATS.filter((each) => values.conversions.includes(each)),
    }),
  })
  return (
    <SettingsCard
      group={group}
      title={texts.downloadFormats}
      description={texts.losslessVersionsCanAlsoBe}
      state={all.groups.conversions}
      isOverridden={conversions.is_overridden}
      origin={texts.defaultLabel}
      initialValue={describeConversions(conversions.first)}
    >
      <Checkbox.Group aria-label={texts.downloadFormats} {...group.form.field('conversions')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {downloads.CONVERSION_FORMATS.map((each) => (
            <Checkbox
              key={each}
              value={each}
              label={CONVERSIONS[each].name}
              description={CONVERSIONS[each].description}
            />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </SettingsCard>
  )
}

/** The sender of emails. */
export function SenderCard({ all }: Props) {
  const { mail_from } = all.settings
  const group = useSettingsGroup(all, {
    group: 'sender',
    valuesOf: ({ settings }) => settings.mail_from.value,
    toStored: ({ name, address }) => ({ mail_from: { name, address } }),
  })
  const { name, address } = group.form.values
  return (
    <SettingsCard
      group={group}
      title={texts.sender}
      description={texts.setUpSpfAndDkim}
      state={all.groups.sender}
      isOverridden={mail_from.is_overridden}
      initialValue={`${mail_from.first.name} <${mail_from.first.address}>`}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.name} maxLength={60} autoComplete="off" {...group.form.field('name')} />
        <TextInput
          label={texts.emailAddress}
          type="email"
          maxLength={254}
          autoComplete="off"
          {...group.form.field('address')}
        />
      </SimpleGrid>
      {all.can_send_email ? (
        <TestEmail from={{ name, address }} />
      ) : (
        <Alert color="var(--warn)" role="note">
          {texts.emailIsntSetUpMessages}
        </Alert>
      )}
    </SettingsCard>
  )
}

/** Sends a test email to oneself with the values of the form, and shows the mail server's response. */
function TestEmail({ from }: { from: { name: string; address: string } }) {
  const { mutate, data, error, isPending } = useApiMutation(settings.sendTestMail)
  const result =
    error?.message ??
    (data && format(data.sent ? texts.sentTo : texts.couldntSendTo, { to: data.to, response: data.said }))
  return (
    <Group>
      <Button busy={isPending} onClick={() => mutate({ mail_from: from })}>
        {texts.sendTestEmail}
      </Button>
      <Text role="status" fz="sm" c={error || data?.sent === false ? 'var(--danger)' : 'var(--text-2)'}>
        {result}
      </Text>
    </Group>
  )
}

/** Where the pool's merchandise is sold. */
export function StoreCard({ all }: Props) {
  const { store_url } = all.settings
  const group = useSettingsGroup(all, {
    group: 'store',
    valuesOf: ({ settings }) => ({ store_url: settings.store_url.value }),
    toStored: ({ store_url }) => ({ store_url }),
  })
  return (
    <SettingsCard
      group={group}
      title={texts.store}
      description={texts.theStoreLinkInThe}
      state={all.groups.store}
      isOverridden={store_url.is_overridden}
      initialValue={store_url.first || texts.noStoreLink}
    >
      <TextInput
        label={texts.storeLink}
        type="url"
        maxLength={500}
        autoComplete="off"
        placeholder="https://store.example/"
        {...group.form.field('store_url', texts.leaveEmptyToUseThe)}
      />
    </SettingsCard>
  )
}
