/** Lets the browser download a URL under a name without leaving the page. */
export function saveAs(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
