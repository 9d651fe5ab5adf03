import { announcements, site } from '@dubplate/contract'
import { saveAnnouncement } from '@dubplate/contract/schemas/announcements'
import { Box, Checkbox, Group, Select, Text, Title } from '@mantine/core'
import { IconCalendarOff, IconPencil, IconRefresh, IconSpeakerphone, IconTrash } from '@tabler/icons-react'
import { MainCell } from '../../admin/cells.tsx'
import { DateTimeInput, RichTextInput } from '../../admin/formFields.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { count, formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { zoneInWords } from '../../format/moments.ts'
import { apiQuery, queryClient, useApiQuery } from '../../platform/queries.ts'
import { booleanFlag, oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Announcement } from '../../site/Announcements.tsx'
import { ANNOUNCED_PAGES } from '../../site/sections.ts'
import { Button } from '../../ui/Button.tsx'
import { textOfHtml } from '../../ui/richText.ts'
import { toast, toastError } from '../../ui/toast.ts'
import {
  inputOf,
  isBlank,
  NEW_ANNOUNCEMENT,
  validateAnnouncement,
  valuesOf,
  valuesToShowAgain,
} from './announcementValues.ts'
import * as texts from './texts.ts'

type StaffAnnouncement = announcements.StaffAnnouncement
type State = StaffAnnouncement['state']

const STATE_NAMES: Record<State, string> = { current: texts.active, scheduled: texts.scheduled, ended: texts.ended }

const NONE: Record<State, { title: string; text: string }> = {
  current: { title: texts.noActiveAnnouncements, text: texts.announcementsAppearAtTheTop },
  scheduled: { title: texts.noScheduledAnnouncements, text: texts.announcementsWithAFutureStart },
  ended: { title: texts.noEndedAnnouncements, text: texts.pastAnnouncementsAppearHereYou },
}

const SAVED: Record<State, string> = {
  current: texts.announcementPublished,
  scheduled: texts.announcementScheduled,
  ended: texts.announcementSavedItHasAlready,
}

const AUDIENCES: Record<StaffAnnouncement['audience'], string> = {
  all: texts.everyone,
  unpaid: texts.membersWithoutAPaidPlan,
  paid: texts.membersWithAPaidPlan,
}

const pageName = (page: string) => ANNOUNCED_PAGES[page]?.text ?? page

/** The calls that show announcements: staff look at the site's page next. */
const LISTS = [announcements.getAnnouncements, site.getAnnouncements, site.getNews]

function describeTimes({ state, published_at, ended_at }: StaffAnnouncement): string {
  const [from, until] = [formatExactDate(published_at), ended_at && formatExactDate(ended_at)]
  if (state === 'ended') return `${from} – ${until}`
  if (state === 'scheduled') return until ? `${from} – ${until}` : format(texts.fromNoEndDate, { from })
  return until ? format(texts.sinceUntil, { from, until }) : format(texts.sinceNoEndDate, { from })
}

const COLUMNS: Column<StaffAnnouncement>[] = [
  {
    id: 'message',
    header: texts.announcement,
    width: 'auto',
    cell: (it) => <MainCell title={textOfHtml(it.message)} text={describeTimes(it)} />,
  },
  { id: 'page', header: texts.page, width: 130, cell: ({ page_name }) => pageName(page_name) },
  { id: 'audience', header: texts.audience, width: 200, showFrom: 780, cell: ({ audience }) => AUDIENCES[audience] },
  { id: 'author', header: texts.author, width: 140, showFrom: 960, cell: ({ written_by }) => written_by },
  {
    id: 'dismissed',
    header: texts.dismissed,
    width: 100,
    isNumeric: true,
    showFrom: 660,
    cell: ({ hidden_by }) => count(hidden_by),
  },
]

/** In the URL: a new announcement is being written; otherwise the number of the one that is open. */
const NEW = 'new'

/** The announcements at the top of the site's pages: active, scheduled and ended ones. */
export function AnnouncementsPage() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(announcements.ANNOUNCEMENT_STATES),
    open: trimmedText,
    again: booleanFlag,
  })
  const { page = 1, state = 'current' } = search
  const query = useApiQuery(announcements.getAnnouncements, { page, state }, { keepPrevious: true })
  const { data } = query
  const end = useEndAnnouncement()
  const open = data?.announcements.find(({ message_id }) => String(message_id) === search.open)
  const openRow = ({ message_id, state }: StaffAnnouncement) =>
    change({ page, open: message_id, again: state === 'ended' ? 1 : undefined })
  const close = () => change({ page, open: undefined, again: undefined })
  const showState = (state: State) =>
    change({ state: state === 'current' ? undefined : state, open: undefined, again: undefined })
  return (
    <TablePage
      total={data?.pagination}
      actions={
        <Button variant="primary" onClick={() => change({ page, open: NEW, again: undefined })}>
          {texts.newAnnouncement}
        </Button>
      }
      top={
        <ViewTabs
          label={texts.announcementStatus}
          views={announcements.ANNOUNCEMENT_STATES.map((value) => ({
            value,
            name: STATE_NAMES[value],
            count: data?.counts[value],
          }))}
          current={state}
          onChange={showState}
        />
      }
      panel={
        (open || search.open === NEW) && (
          <SidePanel label={open ? texts.editAnnouncement : texts.newAnnouncement} onClose={close}>
            <AnnouncementForm
              key={open?.message_id ?? NEW}
              announcement={open}
              isShownAgain={search.again === 1}
              onSaved={showState}
              onClose={close}
            />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.announcements}
        columns={COLUMNS}
        rows={data?.announcements}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadAnnouncements}
        idOf={({ message_id }) => message_id}
        labelOf={({ message }) => textOfHtml(message)}
        narrowRow={(it) => ({
          start: <MainCell title={textOfHtml(it.message)} text={describeTimes(it)} />,
          end: pageName(it.page_name),
        })}
        onOpen={openRow}
        openId={open?.message_id}
        onPage={(page) => change({ page })}
        rowActions={[
          { label: texts.edit, icon: IconPencil, isAvailable: ({ state }) => state !== 'ended', run: openRow },
          { label: texts.publishAgain, icon: IconRefresh, isAvailable: ({ state }) => state === 'ended', run: openRow },
          { label: texts.endNow, icon: IconCalendarOff, isAvailable: ({ state }) => state === 'current', run: end },
          {
            label: texts.deleteButton,
            icon: IconTrash,
            isDanger: true,
            isAvailable: ({ state }) => state === 'scheduled',
            run: end,
          },
        ]}
        empty={{ icon: <IconSpeakerphone size={24} />, ...NONE[state] }}
      />
    </TablePage>
  )
}

/** Ends an active announcement, or deletes a scheduled one. Both can be undone. */
function useEndAnnouncement() {
  const save = useApiMutation(announcements.saveAnnouncement, {
    invalidates: LISTS,
    success: ({ announcement }) => ({ message: SAVED[announcement.state] }),
    errorTitle: texts.couldntUndo,
  })
  const end = useApiMutation(announcements.endAnnouncement, { invalidates: LISTS })
  return (it: StaffAnnouncement) => {
    const isDeleted = it.state === 'scheduled'
    const { published_at, ended_at, version } = it
    const undo = () =>
      save.mutate(
        isDeleted
          ? { ...inputOf(valuesOf(it), undefined), published_at, ended_at }
          : // Ending it has increased its version.
            { ...inputOf({ ...valuesOf(it), version: version + 1 }, it), ended_at },
      )
    end.mutate(
      { message_id: it.message_id },
      {
        onSuccess: () =>
          void toast({
            message: isDeleted ? texts.announcementDeleted : texts.announcementEnded,
            action: { label: texts.undo, run: undo },
          }),
        onError: (error) =>
          void toastError(isDeleted ? texts.couldntDeleteAnnouncement : texts.couldntEndAnnouncement, error),
      },
    )
  }
}

/** Loads an announcement whatever its state; undefined if it has been deleted. */
async function loadCurrent(messageId: number) {
  const pages = await Promise.all(
    announcements.ANNOUNCEMENT_STATES.map((state) =>
      queryClient.fetchQuery({ ...apiQuery(announcements.getAnnouncements, { state, page: 1 }), staleTime: 0 }),
    ),
  )
  const found = pages.flatMap(({ announcements }) => announcements).find(({ message_id }) => message_id === messageId)
  return found && valuesOf(found)
}

type FormProps = {
  /** Undefined for a new one. */
  announcement: StaffAnnouncement | undefined
  /** An ended announcement is published once more. */
  isShownAgain: boolean
  onSaved: (state: State) => void
  onClose: () => void
}

function AnnouncementForm({ announcement, isShownAgain, onSaved, onClose }: FormProps) {
  const stored = announcement && (isShownAgain ? valuesToShowAgain(announcement) : valuesOf(announcement))
  const form = useResourceForm({
    call: saveAnnouncement,
    draftName: `announcement.${announcement?.message_id ?? NEW}`,
    values: stored ?? NEW_ANNOUNCEMENT,
    toInput: (values) => inputOf(values, announcement),
    fieldNames: { published_at: 'from', ended_at: 'until' },
    validate: validateAnnouncement,
    loadCurrent: announcement && (() => loadCurrent(announcement.message_id)),
    describe: { message: textOfHtml, page_name: pageName, audience: (audience) => AUDIENCES[audience] },
    invalidates: LISTS,
    success: ({ announcement }) => ({ message: SAVED[announcement.state] }),
    onSaved: ({ announcement }) => onSaved(announcement.state),
  })
  const { message } = form.values
  const title = announcement ? texts.editAnnouncement : texts.newAnnouncement
  return (
    <ResourceForm
      form={form}
      label={title}
      saveLabel={announcement && !isShownAgain ? texts.save : texts.publish}
      onClose={onClose}
    >
      <Title order={2}>{title}</Title>
      <RichTextInput
        label={texts.announcement}
        placeholder={texts.oneOrTwoSentencesLinks}
        minRows={3}
        autoFocus
        {...form.field('message')}
      />
      <Box>
        <Text fw={560} mb={4}>
          {texts.preview}
        </Text>
        {isBlank(message) ? (
          <Text c="var(--text-2)">{texts.nothingToPreviewYet}</Text>
        ) : (
          <div inert>
            <Announcement html={message} />
          </div>
        )}
      </Box>
      <Group grow align="start">
        <Select
          label={texts.page}
          allowDeselect={false}
          data={announcements.ANNOUNCED_PAGES.map((value) => ({ value, label: pageName(value) }))}
          {...form.field('page_name')}
        />
        <Select
          label={texts.audience}
          allowDeselect={false}
          data={announcements.AUDIENCES.map((value) => ({ value, label: AUDIENCES[value] }))}
          {...form.field('audience')}
        />
      </Group>
      <Group grow align="start">
        <DateTimeInput label={texts.starts} {...form.field('from', texts.leaveEmptyToPublishNow)} />
        <DateTimeInput label={texts.ends} {...form.field('until', texts.leaveEmptyForNoEnd)} />
      </Group>
      <Text fz="sm" c="var(--text-2)">
        {format(texts.timesAreInYourTime, { time_zone: zoneInWords() })}
      </Text>
      {announcement && announcement.hidden_by > 0 && (
        <Checkbox
          label={format(texts.showAgainToMembersWho, { hidden_by: announcement.hidden_by })}
          {...form.checkbox('show_again')}
        />
      )}
    </ResourceForm>
  )
}
