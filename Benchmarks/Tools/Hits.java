import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Prints how many hits Caffeine has: Hits FILE CAPACITY [FILE CAPACITY ...]. A file has a key a line; each is replayed
 * through a cache of its own, and has a line of the output.
 */
public final class Hits {
    public static void main(String[] arguments) throws Exception {
        for (int place = 0; place + 1 < arguments.length; place += 2) {
            long capacity = Long.parseLong(arguments[place + 1]);
            Cache<Integer, Integer> cache =
                    Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build();
            long hits = 0;
            for (String line : Files.readAllLines(Path.of(arguments[place]))) {
                Integer key = Integer.valueOf(line);
                if (cache.getIfPresent(key) != null) {
                    hits++;
                } else {
                    cache.put(key, key);
                }
            }
            System.out.println(hits);
        }
    }
}
