/** The nonce that the host put into the page for style tags made at run time; '' where there is none. */
export const styleNonce = (): string => {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  return meta?.nonce || meta?.content || '';
};
