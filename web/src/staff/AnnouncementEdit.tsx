import { announcements } from '@dubplate/contract'
import { plural } from '../platform/format.ts'
import { Announcement } from '../site/Announcements.tsx'
import { ANNOUNCED_PAGES } from '../site/announcedPages.ts'
import { RichText } from '../ui/RichText.tsx'
import {
  type AnnouncementEntry,
  AUDIENCE_WORDS,
  entryOf,
  isBlank,
  NEW_ENTRY,
  wishOf,
  wrongAnnouncement,
} from './announcementEntry.ts'
import { announce, readAgain } from './announcing.ts'
import { EntryEnd } from './EntryEnd.tsx'
import { ChoiceField, MomentField, Tick } from './EntryFields.tsx'
import { EntryForm } from './EntryForm.tsx'
import css from './Forms.module.css'
import { zoneInWords } from './moments.ts'
import { Theirs } from './Theirs.tsx'
import { useEntry, type Wrong } from './useEntry.ts'

type StaffAnnouncement = announcements.StaffAnnouncement

export const draftNameOf = (messageId: number | undefined) => `announcement.${messageId ?? 'new'}`

type Props = {
  /** The one that is changed; a new one otherwise. */
  announcement?: StaffAnnouncement
  onSaved: (saved: StaffAnnouncement) => void
  onClose: () => void
}

/** Writes an announcement, and shows it meanwhile as it will stand on its page. */
export function AnnouncementEdit({ announcement, onSaved, onClose }: Props) {
  const entry = useEntry<AnnouncementEntry, StaffAnnouncement>({
    draftName: draftNameOf(announcement?.message_id),
    first: announcement ? entryOf(announcement) : NEW_ENTRY,
    wrongOf: wrongAnnouncement,
    namesInForm: { published_at: 'from', ended_at: 'until' },
    send: (typed) => announce(wishOf(typed, announcement)),
    onSaved,
    meanwhile: announcement && { read: () => readAgain(announcement.message_id), entryOf },
    onClose,
  })
  const { typed, wrong, write, theirs } = entry
  return (
    <EntryForm entry={entry} title={announcement ? 'Edit announcement' : 'New announcement'}>
      <RichText
        label="Announcement"
        value={typed.message}
        onChange={(message) => write({ message })}
        error={wrong.message}
        placeholder="One or two sentences. Links are fine."
        minRows={3}
        takesFocus
      />
      <div className={css.preview}>
        <h3>Preview</h3>
        {isBlank(typed.message) ? <p className={css.hint}>Nothing to preview yet</p> : <Look html={typed.message} />}
      </div>
      <Whom typed={typed} onChange={write} wrong={wrong} />
      <Times typed={typed} onChange={write} wrong={wrong} />
      {announcement && announcement.hidden_by > 0 && (
        <Tick isTicked={typed.show_again} onTick={(show_again) => write({ show_again })}>
          Show again to {plural(announcement.hidden_by, 'member')} who dismissed it
        </Tick>
      )}
      <EntryEnd entry={entry} verb={announcement ? 'Save' : 'Publish'}>
        {theirs && (
          <Theirs entry={entry}>
            <p>
              Someone else changed this while you were editing. Their version is shown below; your changes are still in
              the form.
            </p>
            <Look html={theirs.message} />
          </Theirs>
        )}
      </EntryEnd>
    </EntryForm>
  )
}

const Look = ({ html }: { html: string }) => (
  <div inert>
    <Announcement html={html} />
  </div>
)

type PartProps = { typed: AnnouncementEntry; wrong: Wrong; onChange: (change: Partial<AnnouncementEntry>) => void }

const PAGES = announcements.ANNOUNCED_PAGES.map((name) => [name, ANNOUNCED_PAGES[name]?.text ?? name] as const)
const AUDIENCES = announcements.AUDIENCES.map((audience) => [audience, AUDIENCE_WORDS[audience]] as const)

const Whom = ({ typed, wrong, onChange }: PartProps) => (
  <div className={css.pair}>
    <ChoiceField
      label="Page"
      path="page_name"
      wrong={wrong.page_name}
      value={typed.page_name}
      choices={PAGES}
      onChoose={(page_name) => onChange({ page_name })}
    />
    <ChoiceField
      label="Audience"
      path="audience"
      wrong={wrong.audience}
      value={typed.audience}
      choices={AUDIENCES}
      onChoose={(audience) => onChange({ audience })}
    />
  </div>
)

const Times = ({ typed, wrong, onChange }: PartProps) => (
  <>
    <div className={css.pair}>
      <MomentField
        label="Starts"
        path="published_at"
        note="Leave empty to publish now."
        wrong={wrong.from}
        value={typed.from}
        onChange={(from) => onChange({ from })}
      />
      <MomentField
        label="Ends"
        path="ended_at"
        note="Leave empty for no end date."
        wrong={wrong.until}
        value={typed.until}
        onChange={(until) => onChange({ until })}
      />
    </div>
    <p className={css.hint}>Times are in your time zone ({zoneInWords()}).</p>
  </>
)
