import { escapeHtml } from './html.ts'
import { textOf } from './rich-text.ts'

/** The sender of an email. */
export type Sender = {
  poolName: string
  publicUrl: string
  /** SHA-256 of the pool's logo, in hex; without one, only its name is shown. */
  logo?: string | null
}

export type EmailParams = {
  to: string
  subject: string
  /** Paragraphs of plain text. */
  lines: readonly string[]
  /** Sanitised HTML, shown below the paragraphs. */
  html?: string
  /** Lists of links, each with its title, below the paragraphs. */
  lists?: readonly EmailList[]
  /** The call to action, as a button and as a URL to copy. */
  button?: { label: string; url: string }
  /** Small print below. */
  note?: string
}

type EmailList = {
  title: string
  links: readonly { label: string; url: string }[]
  /** A link to the rest, shown below: `and 12 more`. */
  more?: { label: string; url: string } | undefined
}

/** An email as it is sent, with the same content as HTML and as plain text. */
export type EmailContent = { to: string; subject: string; html: string; text: string }

/** Renders an email that is readable without pictures, styles or HTML. */
export function renderEmail(sender: Sender, words: EmailParams): EmailContent {
  const subject = collapseWhitespace(words.subject)
  const content = words.html ? { ...words, subject, html: withAbsoluteUrls(words.html, sender) } : { ...words, subject }
  return { to: words.to, subject, html: renderHtml(sender, content), text: renderText(sender, content) }
}

/** Relative links do not work in a mail program, so they become absolute. */
const withAbsoluteUrls = (html: string, { publicUrl }: Sender): string =>
  html.replace(
    /<a href="(?!https?:|mailto:)\/?([^"]*)"/gi,
    (_, path: string) => `<a href="${escapeHtml(publicUrl)}/${path}"`,
  )

/** Returns the text, with the URL of each link after its text. */
const textWithUrls = (html: string): string =>
  textOf(
    html.replace(
      /(<a href="(?:mailto:)?([^"]*)">)([\s\S]*?)(<\/a>)/g,
      (_, start, address: string, words: string, end) =>
        words.trim() === address ? `${start}${words}${end}` : `${start}${words}${end} (${address})`,
    ),
  )

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim()

function renderText({ poolName, publicUrl }: Sender, { lines, html, lists = [], button, note }: EmailParams): string {
  const parts = [
    ...lines,
    ...(html ? [textWithUrls(html)] : []),
    ...lists.map(renderListText),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(note ? [note] : []),
  ]
  return `${parts.join('\n\n')}\n\n-- \n${poolName}\n${publicUrl}\n`
}

const renderListText = ({ title, links, more }: EmailList): string =>
  [
    title,
    ...[...links, ...(more ? [more] : [])].map(({ label, url }) => `- ${collapseWhitespace(label)}\n  ${url}`),
  ].join('\n')

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Mail programs support tables and inline styles, and little else. */
function renderHtml(
  { poolName, publicUrl, logo }: Sender,
  { subject, lines, html, lists = [], button, note }: EmailParams,
): string {
  const [name, address] = [escapeHtml(poolName), escapeHtml(publicUrl)]
  const paragraphs = lines.map((line) => paragraph(line, 'font-size:16px;color:#14171c'))
  const written = html
    ? [`<div style="margin:0 0 16px;line-height:1.5;font-size:16px;color:#14171c">${html}</div>`]
    : []
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #e1e4e8;border-radius:8px;${FONT}"><tr><td style="padding:28px 28px 12px">
<p style="margin:0 0 20px;font-size:14px;font-weight:600;color:#5b6472">${logo ? renderLogo(name, `${address}/logo/${logo}/wide.png`) : name}</p>
${[...paragraphs, ...written, ...lists.map(renderListHtml)].join('\n')}${button ? `\n${renderButton(button)}` : ''}${note ? `\n${paragraph(note, 'font-size:14px;color:#5b6472')}` : ''}
</td></tr><tr><td style="padding:16px 28px;border-top:1px solid #e1e4e8;font-size:13px;color:#5b6472">${name} · <a href="${address}" style="color:#5b6472">${address}</a></td></tr></table>
</td></tr></table>
</body></html>
`
}

/** The name is the alt text, shown if pictures are blocked. */
const renderLogo = (name: string, address: string): string =>
  `<img src="${address}" alt="${name}" height="36" style="display:block;height:36px;max-width:240px;border:0">`

const paragraph = (text: string, style: string): string =>
  `<p style="margin:0 0 16px;line-height:1.5;${style}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

const renderListHtml = ({ title, links, more }: EmailList): string =>
  `<p style="margin:0 0 6px;line-height:1.5;font-size:16px;font-weight:600;color:#14171c">${escapeHtml(title)}</p>
<ul style="margin:0 0 16px;padding:0 0 0 20px;line-height:1.6;font-size:16px;color:#14171c">${[...links, ...(more ? [more] : [])].map(renderListItem).join('')}</ul>`

const renderListItem = ({ label, url }: { label: string; url: string }): string =>
  `<li><a href="${escapeHtml(url)}" style="color:#14171c">${escapeHtml(label)}</a></li>`

function renderButton({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td style="background:#14171c;border-radius:6px"><a href="${address}" style="display:inline-block;padding:12px 20px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p style="margin:0 0 16px;line-height:1.5;font-size:13px;color:#5b6472;word-break:break-all">Or copy this link:  <a href="${address}" style="color:#5b6472">${address}</a></p>`
}
