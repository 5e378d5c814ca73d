/** How a delivery is checked, as docs/webhooks.md shows it. */
export const samples: readonly (readonly [language: string, code: string])[] = [
  [
    'TypeScript',
    `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(
  secret: string,
  headers: Record<string, string>,
  body: string,
  now = Date.now() / 1000,
): boolean {
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!(Math.abs(now - Number(timestamp)) <= 300)) return false;
  const expected = 'v1=' + createHmac('sha256', secret).update(\`\${timestamp}.\${body}\`).digest('hex');
  const given = Buffer.from(headers['x-service-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}`,
  ],
  [
    'Python',
    `import hashlib
import hmac
import time


def is_genuine(secret, headers, body, now=None):
    timestamp = headers.get("x-service-timestamp", "")
    if not timestamp.isdecimal() or len(timestamp) > 12:
        return False
    if abs((now or time.time()) - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    expected = "v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("x-service-signature", "").encode())`,
  ],
  [
    'PHP',
    `function is_genuine(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $timestamp = $headers['x-service-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    return hash_equals($expected, $headers['x-service-signature'] ?? '');
}`,
  ],
  [
    'Java',
    `import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Webhooks {
  public static boolean isGenuine(String secret, Map<String, String> headers, byte[] body, long now) throws Exception {
    String timestamp = headers.getOrDefault("x-service-timestamp", "");
    if (!timestamp.matches("[0-9]{1,12}") || Math.abs(now - Long.parseLong(timestamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
    String expected = "v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    String given = headers.getOrDefault("x-service-signature", "");
    return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}`,
  ],
  [
    'C#',
    `using System.Security.Cryptography;
using System.Text;

public static class Webhooks
{
    public static bool IsGenuine(string secret, IReadOnlyDictionary<string, string> headers, byte[] body, long now)
    {
        var timestamp = headers.GetValueOrDefault("x-service-timestamp", "");
        if (!long.TryParse(timestamp, out var sent) || sent < now - 300 || sent > now + 300) return false;
        var signed = Encoding.UTF8.GetBytes(timestamp + ".").Concat(body).ToArray();
        var digest = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), signed);
        var expected = "v1=" + Convert.ToHexString(digest).ToLowerInvariant();
        var given = headers.GetValueOrDefault("x-service-signature", "");
        return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(given));
    }
}`,
  ],
];
