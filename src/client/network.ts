/** How connections leave this machine. The command line reads it from flags and environment. */
export interface Network {
  /** Addresses of proxies for http and https services, and the hosts that need none (the form of NO_PROXY). */
  readonly proxies?: { readonly http?: string; readonly https?: string; readonly none?: string };
  /** Certificates in PEM: authorities to trust instead of the default ones, and a client's own with its key. */
  readonly tls?: { readonly ca?: string[]; readonly cert?: string; readonly key?: string };
}
